import {
  disableGitFilters,
  type ExecutionEnvironment,
  findRepositoryArgv,
  type GitSetting,
  parseFoundRepository,
} from "@switchyard/contracts";
import { type RunGitOptions, runGit } from "./run-git.ts";

/** Number of commit subjects in the prompt. See loop: §6.4. */
const COMMITS = 10;
/** Maximum length of a commit subject, in characters. */
const MAX_SUBJECT_CHARS = 200;
/**
 * Maximum output of `git status`, in characters. Sufficient for about ten thousand files. With more files, the counts
 * are lower bounds.
 */
const MAX_STATUS_CHARS = 1_000_000;
/** Maximum output of `git config`, in characters. */
const MAX_CONFIG_CHARS = 4_000_000;

/** State of a git repository when the session started. See loop: §6.4. */
export interface GitSnapshot {
  /** Absolute path of the working tree's root. */
  readonly root: string;
  /** Current branch, or `(detached)`. */
  readonly branch: string;
  /**
   * Number of files that differ from the last commit. A text such as `unknown` if it could not be determined safely.
   */
  readonly modified: number | string;
  /** Number of untracked files. A text such as `unknown` if it could not be determined safely. */
  readonly untracked: number | string;
  /** Subjects of the latest commits, newest first. */
  readonly commits: readonly string[];
}

/** Options for git commands in a repository whose folders are already known. */
type RepositoryOptions = Pick<RunGitOptions, "folder" | "signal">;

function oneLine(text: string): string {
  // Commit subjects and branch names are untrusted, so control characters are removed.
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_SUBJECT_CHARS);
}

/**
 * Returns git settings that disable all configured content filters, which are commands that `git status` would run.
 * `undefined` if some filter cannot be disabled this way. Callers must not run `git status` then.
 */
async function filtersOff(
  environment: ExecutionEnvironment,
  from: RepositoryOptions,
): Promise<readonly GitSetting[] | undefined> {
  const options = { ...from, maxOutputChars: MAX_CONFIG_CHARS, isComplete: true };
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
 * Returns the root of the working tree. `undefined` if the found repository does not belong to the workspace, because
 * the model must not see unrelated files.
 */
async function findRoot(environment: ExecutionEnvironment, signal?: AbortSignal): Promise<string | undefined> {
  const output = await runGit(environment, findRepositoryArgv(environment.workingDirectory), { signal });
  const found = output === undefined ? undefined : parseFoundRepository(output);
  return found?.isForeign === false ? found.top : undefined;
}

/**
 * Reads the state of the git repository that contains the working directory. `undefined` if there is none. Never
 * rejects. See loop: §6.4.
 */
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
