import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExecutionEnvironment, type GitSetting, toGitVariables } from "@switchyard/contracts";
import { runGit } from "./run-git.ts";

/** A remote of a git repository. */
export interface GitRemote {
  /** Name of the remote. */
  readonly name: string;
  /** URLs to fetch from. */
  readonly urls: readonly string[];
  /** URLs that git uses for pushing, if they differ from `urls`. */
  readonly pushUrls: readonly string[];
}

/** URL that replaces all push URLs. Pushing to it fails, because git has no transport for its scheme. */
const DENIED_PUSH_URL = "push-is-denied://";

/** Resolves with the remotes of the git repository in a folder. Empty if the folder is not in a repository. */
export async function readRemotes(environment: ExecutionEnvironment, signal?: AbortSignal): Promise<GitRemote[]> {
  const listed = await runGit(environment, ["config", "--null", "--get-regexp", "^remote\\..*\\.(url|pushurl)$"], {
    signal,
  }).catch(() => undefined);
  if (listed === undefined || listed.exitCode !== 0) return [];
  const remotes = new Map<string, { urls: string[]; pushUrls: string[] }>();
  for (const entry of listed.stdout.split("\0")) {
    const [key = "", url = ""] = split(entry, "\n");
    const [, name, kind] = /^remote\.(.+)\.(url|pushurl)$/u.exec(key) ?? [];
    if (name === undefined || url === "") continue;
    const remote = remotes.get(name) ?? { urls: [], pushUrls: [] };
    (kind === "url" ? remote.urls : remote.pushUrls).push(url);
    remotes.set(name, remote);
  }
  return [...remotes].map(([name, urls]) => ({ name, ...urls }));
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/**
 * Returns environment variables that block git push and password prompts; fetching and committing still work. URLs that
 * are used only for pushing need a separate rewrite rule each, because git does not apply `pushInsteadOf` to them.
 */
export function pushDenial(remotes: readonly GitRemote[]): Record<string, string> {
  const fetched = remotes.flatMap(({ urls }) => urls);
  const pushed = new Set(remotes.flatMap(({ pushUrls }) => pushUrls));
  const rewritten = [...pushed].filter((url) => !fetched.some((one) => one.startsWith(url)));
  const settings: readonly GitSetting[] = [
    ["credential.helper", ""],
    ["core.askPass", "/bin/false"],
    // The empty prefix matches every push URL.
    [`url.${DENIED_PUSH_URL}.pushInsteadOf`, ""],
    ...rewritten.map((url): GitSetting => [`url.${DENIED_PUSH_URL}.insteadOf`, url]),
    ...remotes.map(({ name }): GitSetting => [`remote.${name}.receivepack`, "/bin/false"]),
  ];
  return {
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    SSH_ASKPASS: "/bin/false",
    ...toGitVariables(settings),
  };
}

/** Files in the user's home folder that contain credentials of git and of clients for code hosting services. */
const CREDENTIALS = [
  ...[".ssh", ".git-credentials", ".config/git/credentials", ".netrc", ".config/gh", ".config/glab-cli", ".config/hub"],
  ...[".cache/git/credential", ".git-credential-cache"],
];

/** Returns the absolute paths of files below a home folder that contain credentials for pushing. */
export function pushCredentials(home: string): string[] {
  return CREDENTIALS.map((path) => join(home, path));
}

/** Returns the absolute paths of git remotes that are local folders. */
export function localRemotes(remotes: readonly GitRemote[], root: string): string[] {
  const urls = remotes.flatMap((remote) => [...remote.urls, ...remote.pushUrls]);
  return urls.flatMap((url) => {
    if (url.startsWith("file://")) return URL.canParse(url) ? [fileURLToPath(new URL(url))] : [];
    // A URL of the form `host:path` is an SSH remote, not a local folder.
    if (/^[^/]*:/u.test(url)) return [];
    return [isAbsolute(url) ? url : resolve(root, url)];
  });
}
