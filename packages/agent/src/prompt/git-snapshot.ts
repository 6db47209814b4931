import {
  disableGitFilters,
  type ExecutionEnvironment,
  findRepositoryArgv,
  type GitSetting,
  parseFoundRepository,
} from "@switchyard/contracts";
import { type RunGitOptions, runGit } from "./run-git.ts";

/** loop §6.4: commits whose subjects are shown. */
const COMMITS = 10;
/** A subject is one line of somebody else's text; more of it is of no use. */
const MAX_SUBJECT_CHARS = 200;
/** Enough for the state of some ten thousand files; counts beyond are lower bounds. */
const MAX_STATUS_CHARS = 1_000_000;
/** Names of settings that are read. */
const MAX_CONFIG_CHARS = 4_000_000;

/** A git repository as it was when the session began. loop: §6.4. */
export interface GitSnapshot {
  /** Absolute path of the working tree's root. */
  readonly root: string;
  /** Current branch, or `(detached)`. */
  readonly branch: string;
  /** Files that differ from the last commit; nothing when it could not be found out safely. */
  readonly modified: number | string;
  /** Files git does not know. */
  readonly untracked: number | string;
  /** Subjects of the newest commits, newest first. */
  readonly commits: readonly string[];
}

/** How a known repository is asked. */
type RepositoryOptions = Pick<RunGitOptions, "folder" | "signal">;

function oneLine(text: string): string {
  // Control characters of a repository have no place in a prompt.
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_SUBJECT_CHARS);
}

/**
 * Settings that switch off every content filter that is configured: `git status` would run them. Nothing when that cannot
 * be done: what is not there of the names, and what cannot be written on a command line, would run.
 */
async function filtersOff(
  environment: ExecutionEnvironment,
  from: RepositoryOptions,
): Promise<readonly GitSetting[] | undefined> {
  const options = { ...from, maxOutputChars: MAX_CONFIG_CHARS, isWhole: true };
  const names = await runGit(environment, ["config", "--list", "--name-only", "-z"], options);
  const settings = names === undefined ? undefined : disableGitFilters(names.split("\0"));
  return settings?.some(([name]) => /[=\n]/.test(name)) === true ? undefined : settings;
}

type Status = Pick<GitSnapshot, "branch" | "modified" | "untracked">;

function parseStatus(output: string): Status {
  let branch = "(unknown)";
  let modified = 0;
  let untracked = 0;
  for (const line of output.split("\n")) {
    if (line.startsWith("# branch.head ")) branch = oneLine(line.slice("# branch.head ".length));
    else if (line.startsWith("? ")) untracked += 1;
    else if (/^[12u] /.test(line)) modified += 1;
  }
  return { branch, modified, untracked };
}

async function readStatus(environment: ExecutionEnvironment, from: RepositoryOptions): Promise<Status> {
  const settings = await filtersOff(environment, from);
  const args = ["status", "--porcelain=v2", "--branch", "--ignore-submodules=all"];
  const options = { ...from, settings, maxOutputChars: MAX_STATUS_CHARS };
  const output = settings === undefined ? undefined : await runGit(environment, args, options);
  if (output !== undefined) return parseStatus(output);
  const branch = await runGit(environment, ["symbolic-ref", "--short", "-q", "HEAD"], from);
  return { branch: branch === undefined ? "(unknown)" : oneLine(branch), modified: "unknown", untracked: "unknown" };
}

async function readCommits(environment: ExecutionEnvironment, from: RepositoryOptions): Promise<string[]> {
  const output = await runGit(environment, ["log", "-n", String(COMMITS), "--no-show-signature", "--format=%s"], from);
  return (output ?? "")
    .split("\n")
    .map(oneLine)
    .filter((subject) => subject !== "");
}

/**
 * Root of the working tree; nothing where it and its repository do not belong together: what is in there is none of the
 * model's business.
 */
async function findRoot(environment: ExecutionEnvironment, signal?: AbortSignal): Promise<string | undefined> {
  const output = await runGit(environment, findRepositoryArgv(environment.workingDirectory), { signal });
  const found = output === undefined ? undefined : parseFoundRepository(output);
  return found?.isForeign === false ? found.top : undefined;
}

/** A look at the git repository round the working directory; nothing where there is none. Never rejects. loop: §6.4. */
export async function readGitSnapshot(
  environment: ExecutionEnvironment,
  signal?: AbortSignal,
): Promise<GitSnapshot | undefined> {
  const root = await findRoot(environment, signal);
  if (root === undefined) return undefined;
  const from = { folder: root, signal };
  const [status, commits] = await Promise.all([readStatus(environment, from), readCommits(environment, from)]);
  return { root, ...status, commits };
}
