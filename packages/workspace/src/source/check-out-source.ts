import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  EngineError,
  type ExecutionEnvironment,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  type GitSetting,
  type GitSource,
  gitMessage,
  gitUrlProblem,
  guardedGit,
  isGitRef,
  toGitVariables,
} from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import type { Secret } from "@switchyard/secrets";

/** Credential with which git reads a repository. */
export interface GitCredential {
  /** User name for https. Default: `x-access-token`. */
  readonly username?: string | undefined;
  /** Password or token for https. */
  readonly password?: Secret | undefined;
  /** Absolute path of a private key file, for ssh. */
  readonly keyFile?: string | undefined;
}

/** Options of `checkOutSource`. */
export interface CheckOutOptions {
  /** Absolute path of the folder to fill. It must exist and be empty. */
  readonly folder: string;
  /** Environment variables of the host, used to find git, proxies and certificates. */
  readonly env: HostVariables;
  /** Credential for the repository. Default: none. */
  readonly credential?: GitCredential | undefined;
  /** Full id of the commit to check out instead of the source's ref. Default: the ref. */
  readonly commit?: string | undefined;
  /** Signal that stops git when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Time limit of one git command, in milliseconds. */
const GIT_MS = 600_000;
/** Environment variables of the host that git needs to reach a server: proxies and certificates. */
const NETWORK_VARIABLES = ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "GIT_SSL_CAINFO"];

/**
 * Settings for fetching. Redirects are refused, because they could lead to an address that is not allowed. Credential
 * helpers of the user are not asked, because only a named credential may be used.
 */
const FETCHING: readonly GitSetting[] = [
  ["http.followRedirects", "false"],
  ["credential.helper", ""],
  ["core.askPass", "/bin/false"],
  ["protocol.version", "2"],
  ["transfer.fsckObjects", "true"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
  ["init.defaultBranch", "main"],
];

/**
 * Environment variables that make git write files exactly as committed, without filters and conversions that the user
 * configured.
 */
const RAW: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
};

/**
 * Checks out a commit of a repository in an empty folder, with its history, a detached `HEAD` and no remote. Resolves
 * with the full id of the commit. Submodules and large files of Git LFS are not fetched. No program that the repository
 * configures is executed. The password is passed to git in an environment variable, never as an argument. Rejects with
 * `workspace.source_failed`, and with `environment.command_not_found` if git is not installed.
 */
export async function checkOutSource(source: GitSource, options: CheckOutOptions): Promise<string> {
  const { folder, env } = options;
  const { url, ref = "HEAD" } = source;
  const wanted = options.commit ?? ref;
  const problem = gitUrlProblem(url) ?? (isGitRef(wanted) ? undefined : `${wanted} is not a branch, tag or commit id`);
  if (problem !== undefined) throw new EngineError("workspace.source_failed", { url, problem });
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: folder, env, spawnHelper: "never", ripgrep: false });
  const git = createGit(environment, source, options);
  await git(["init", "--quiet", "--template=", "."], RAW);
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--", url, wanted];
  await git(fetch, networkVariables(source, options));
  const commit = (await git(["rev-parse", "--verify", "FETCH_HEAD^{commit}"], RAW)).trim();
  await git(["checkout", "--quiet", "--detach", "--force", commit], RAW);
  await rm(join(folder, ".git", "FETCH_HEAD"), { force: true });
  return commit;
}

type RunGit = (argv: readonly string[], variables: Readonly<Record<string, string>>) => Promise<string>;

function createGit(environment: ExecutionEnvironment, { url }: GitSource, { signal }: CheckOutOptions): RunGit {
  return async (argv, variables) => {
    const isRaw = variables["GIT_CONFIG_GLOBAL"] !== undefined;
    const result = await environment.exec(guardedGit(argv), {
      env: {
        policy: "core",
        allow: isRaw ? [] : [...GIT_USER_VARIABLES, ...NETWORK_VARIABLES],
        set: { ...toGitVariables(FETCHING), ...GIT_GUARD_VARIABLES, ...variables },
      },
      timeoutMs: GIT_MS,
      signal,
    });
    if (result.exitCode === 0 && !result.timedOut && !result.aborted) return result.stdout;
    signal?.throwIfAborted();
    const problem = result.timedOut
      ? `git did not finish within ${GIT_MS / 1000} seconds`
      : gitMessage(result.stderr) || "git failed without a message";
    throw new EngineError("workspace.source_failed", { url, problem });
  };
}

/**
 * Returns the environment variables that allow git only the protocol of the repository's URL, and pass the credential
 * to the server of this URL only.
 */
function networkVariables({ url }: GitSource, { credential = {} }: CheckOutOptions): Record<string, string> {
  const { protocol, origin } = new URL(url);
  const { username = "x-access-token", password, keyFile } = credential;
  const settings: GitSetting[] = [...FETCHING];
  if (protocol === "https:" && password !== undefined) {
    const encoded = Buffer.from(`${username}:${password.reveal()}`).toString("base64");
    settings.push([`http.${origin}/.extraHeader`, `Authorization: Basic ${encoded}`]);
  }
  const identity = keyFile === undefined ? "" : ` -oIdentitiesOnly=yes -i ${quote(keyFile)}`;
  settings.push(["core.sshCommand", `ssh -oBatchMode=yes -oConnectTimeout=30${identity}`]);
  return { ...toGitVariables(settings), GIT_ALLOW_PROTOCOL: protocol.slice(0, -1), GIT_SSH_VARIANT: "ssh" };
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
