import {
  type ExecResult,
  type ExecutionEnvironment,
  findRepositoryScript,
  GIT_GUARD,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  type GitSetting,
  gitMessage,
  guardedGit,
  toGitVariables,
} from "@switchyard/contracts";

/** Time limit of one git command, in milliseconds. */
const GIT_TIMEOUT_MS = 60_000;
/** Time limit of a script that runs several git commands, in milliseconds. */
const SCRIPT_TIMEOUT_MS = 180_000;
/**
 * Time limit for finding a repository, in milliseconds. It is short, because git reads little data, and because
 * configuration files that include each other endlessly must not block a run.
 */
const FIND_TIMEOUT_MS = 15_000;
/** Maximum output of git, in characters. Enough for a list of half a million files. */
const MAX_OUTPUT_CHARACTERS = 64 * 1024 * 1024;

/** Environment variables that make git ignore the settings of the machine and the user. */
const ALONE: Readonly<Record<string, string>> = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
/**
 * Environment variables for all git commands. They disable programs configured in the repository, pathspec magic and
 * hints.
 */
const VARIABLES: Readonly<Record<string, string>> = {
  ...GIT_GUARD_VARIABLES,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_ADVICE: "0",
};

/** A failed git command, with git's message. */
export class GitFailure extends Error {
  override readonly name: string = "GitFailure";
  /** Exit code of git. 127 if git is not installed. */
  readonly exitCode: number;

  /** Creates the error for a failed git command. */
  constructor(command: string, result: ExecResult) {
    const reason = result.aborted ? "it was stopped" : result.timedOut ? "it took too long" : gitMessage(result.stderr);
    super(`${command} failed: ${reason === "" ? `exit code ${result.exitCode}` : reason}`);
    this.exitCode = result.exitCode;
  }
}

/** Options of a git command. */
export interface GitOptions {
  /** Additional variables. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** Additional settings. */
  settings?: readonly GitSetting[] | undefined;
  /** True to use the settings of the user and the machine. */
  heedsUser?: boolean | undefined;
  /** Highest exit code of git that counts as success. Default: 0. */
  maxExitCode?: number | undefined;
  /** Signal that aborts the command. */
  signal?: AbortSignal | undefined;
  /** Time limit, in milliseconds. Default: one minute, or three minutes for a script. */
  timeoutMs?: number | undefined;
}

/** Runs git in the workspace and resolves with its output. Rejects with `GitFailure`. */
export function runGit(
  environment: ExecutionEnvironment,
  argv: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return run(environment, { argv: guardedGit(argv), name: `git ${argv[0] ?? ""}` }, options);
}

/** Several git commands as a `sh` script. */
export interface GitScript {
  readonly script: string;
  /** Arguments `$1`, `$2` and so on. */
  readonly args?: readonly string[];
  /** Standard input. */
  readonly stdin?: string;
}

/**
 * Runs several git commands in the workspace as one script. This starts one process instead of several. Starting a
 * process is slow in remote environments, and also if the process of this program uses much memory. Resolves with the
 * output. Rejects with `GitFailure`.
 */
export function runGitScript(
  environment: ExecutionEnvironment,
  { script, args = [], stdin }: GitScript,
  options: GitOptions = {},
): Promise<string> {
  const argv = ["sh", "-c", script, "sh", ...args];
  return run(environment, { argv, name: "git", stdin }, { timeoutMs: SCRIPT_TIMEOUT_MS, ...options });
}

async function run(
  environment: ExecutionEnvironment,
  { argv, name, stdin }: { argv: readonly string[]; name: string; stdin?: string | undefined },
  options: GitOptions,
): Promise<string> {
  const settings = [...GIT_GUARD, ...(options.settings ?? [])];
  const variables = { ...VARIABLES, ...(options.heedsUser === true ? {} : ALONE), ...options.variables };
  const result = await environment.exec(argv, {
    // Settings are passed as environment variables, so that they apply to every git command of a script.
    env: {
      policy: "core",
      allow: options.heedsUser === true ? GIT_USER_VARIABLES : [],
      set: { ...toGitVariables(settings), ...variables },
    },
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
    maxOutputChars: MAX_OUTPUT_CHARACTERS,
    stdin,
    signal: options.signal,
  });
  if (result.exitCode > (options.maxExitCode ?? 0) || result.timedOut || result.aborted)
    throw new GitFailure(name, result);
  if (result.droppedBytes > 0)
    throw new Error(`the output of ${name} is larger than ${MAX_OUTPUT_CHARACTERS} characters`);
  return result.stdout;
}

/** Absolute paths of the parts of a repository. */
export interface GitRepository {
  /** Top folder of the working tree. */
  readonly top: string;
  /** Hash algorithm: `sha1` or `sha256`. */
  readonly objectFormat: string;
  /** Folder of objects. */
  readonly objects: string;
  /** Index file. */
  readonly index: string;
  /** Exclude file. */
  readonly exclude: string;
  /** True if the workspace is a plain folder, not tracked by git. Then only `top` and `objectFormat` are used. */
  readonly isPlain?: boolean | undefined;
}

/**
 * Shell script that prints the paths of the workspace's repository. It also prints `plain` if the repository does not
 * track the workspace. There are two reasons: the workspace is git-ignored and contains no file that was added anyway,
 * or the repository does not belong to the workspace. In the second case, another folder would be read, and later
 * reverted.
 */
const FIND = `${findRepositoryScript([
  ...["--path-format=absolute", "--show-toplevel", "--show-object-format"],
  ...["--git-path objects", "--git-path index", "--git-path info/exclude"],
])}printf '%s\\n' "$facts"
if [ -n "$foreign" ]; then echo plain; exit; fi
[ . -ef "$top" ] && exit
GIT_LITERAL_PATHSPECS=0 git check-ignore --quiet -- . || exit 0
[ -n "$(git ls-files -- . | head -c 1)" ] || echo plain`;

/**
 * Finds the repository of the workspace. Resolves with `ignored` if the repository does not track the workspace. Throws
 * `GitFailure` if the workspace is in no repository.
 */
export async function findRepository(
  environment: ExecutionEnvironment,
  signal?: AbortSignal,
): Promise<GitRepository | "ignored"> {
  const find = (heedsUser: boolean) =>
    runGitScript(environment, { script: FIND }, { signal, timeoutMs: FIND_TIMEOUT_MS, heedsUser });
  const output = await find(false).catch((error: unknown) => {
    // Run again with the user's settings, which may declare another user's repository safe (`safe.directory`).
    if (error instanceof GitFailure && /dubious ownership|unsafe repository/.test(error.message)) return find(true);
    throw error;
  });
  const [top, objectFormat, objects, index, exclude, verdict, ...rest] = output.split("\n");
  const isComplete = objects !== undefined && index !== undefined && exclude !== undefined && rest.join("") === "";
  if (top === undefined || objectFormat === undefined || !isComplete) {
    throw new Error("the paths of the repository cannot be read");
  }
  if (verdict === "plain") return "ignored";
  if (verdict !== undefined && verdict !== "") throw new Error("the paths of the repository cannot be read");
  return { top, objectFormat, objects, index, exclude };
}
