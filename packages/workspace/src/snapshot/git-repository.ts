import {
  type ExecResult,
  type ExecutionEnvironment,
  GIT_GUARD,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  type GitSetting,
  guardedGit,
  OWN_REPOSITORY,
  toGitVariables,
} from "@switchyard/contracts";

/** Time one git command may take, in milliseconds. */
const GIT_TIMEOUT_MS = 60_000;
/** Time several of them may take. */
const SCRIPT_TIMEOUT_MS = 180_000;
/** Time the look for a repository may take: little is read for it, and settings that never end hold nobody up for long. */
const FIND_TIMEOUT_MS = 15_000;
/** Most characters of one answer of git; the list of half a million files fits. */
const MAX_OUTPUT_CHARACTERS = 64 * 1024 * 1024;

/** Nothing of a machine's or a user's settings. */
const ALONE: Readonly<Record<string, string>> = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
/** The guard, no pathspec magic, no hints. */
const VARIABLES: Readonly<Record<string, string>> = {
  ...GIT_GUARD_VARIABLES,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_ADVICE: "0",
};

/** A git command that failed, in git's own words. */
export class GitFailure extends Error {
  override readonly name: string = "GitFailure";
  /** Exit code of git; 127 when there is no git. */
  readonly exitCode: number;

  /** Makes the failure of a command. */
  constructor(command: string, result: ExecResult) {
    const reason = result.aborted
      ? "it was stopped"
      : result.timedOut
        ? "it took too long"
        : (result.stderr.trim().split("\n")[0] ?? "");
    super(`${command} failed: ${reason === "" ? `exit code ${result.exitCode}` : reason}`);
    this.exitCode = result.exitCode;
  }
}

/** How one git command is run. */
export interface GitOptions {
  /** Variables on top. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** Settings on top. */
  settings?: readonly GitSetting[] | undefined;
  /** Whether the settings of the user and of the machine count. */
  heedsUser?: boolean | undefined;
  /** Highest exit code that is no failure; 0 by default. */
  maxExitCode?: number | undefined;
  /** Ends it when it fires. */
  signal?: AbortSignal | undefined;
  /** Time it may take, in milliseconds; a minute by default, three for a script. */
  timeoutMs?: number | undefined;
}

/** Runs git in the workspace and gives its output. Throws `GitFailure`. */
export function runGit(
  environment: ExecutionEnvironment,
  argv: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return run(environment, { argv: guardedGit(argv), name: `git ${argv[0] ?? ""}` }, options);
}

/** Several commands of git, as a script of `sh`. */
export interface GitScript {
  readonly script: string;
  /** What the script knows as `$1`, `$2` and so on. */
  readonly words?: readonly string[];
  /** What it reads. */
  readonly stdin?: string;
}

/**
 * Runs several commands of git in the workspace at the price of one: what is far away takes its time for each, and so does a
 * process that is large. Gives what they print. Throws `GitFailure`.
 */
export function runGitScript(
  environment: ExecutionEnvironment,
  { script, words = [], stdin }: GitScript,
  options: GitOptions = {},
): Promise<string> {
  const argv = ["sh", "-c", script, "sh", ...words];
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
    // As variables: each command of a script has them.
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

/** Where the parts of a repository lie, as absolute paths. */
export interface GitRepository {
  /** Folder that is checked out. */
  readonly top: string;
  /** Hash it uses: `sha1` or `sha256`. */
  readonly objectFormat: string;
  /** Folder of its objects. */
  readonly objects: string;
  /** File of its index. */
  readonly index: string;
  /** File of its own exclusions. */
  readonly exclude: string;
  /** Whether it is none: a plain folder, of which only `top` and `objectFormat` mean something. */
  readonly isPlain?: boolean | undefined;
}

/**
 * Where the repository lies, and `plain` where it looks away from the workspace: that is in a folder that is ignored, and
 * nothing in it was added all the same, or it and the workspace do not belong together: another folder would be looked at,
 * and written to when changes are taken back. The top folder is never ignored. The question takes no literal path.
 */
const FIND = `${OWN_REPOSITORY}
git rev-parse --path-format=absolute --show-toplevel --show-object-format \\
  --git-path objects --git-path index --git-path info/exclude || exit
if [ -n "$foreign" ]; then echo plain; exit; fi
[ . -ef "$top" ] && exit
GIT_LITERAL_PATHSPECS=0 git check-ignore --quiet -- . || exit 0
[ -n "$(git ls-files -- . | head -c 1)" ] || echo plain`;

/**
 * The repository the workspace lies in; `ignored` where it looks away from it. Throws `GitFailure` where there is none.
 */
export async function findRepository(
  environment: ExecutionEnvironment,
  signal?: AbortSignal,
): Promise<GitRepository | "ignored"> {
  const find = (heedsUser: boolean) =>
    runGitScript(environment, { script: FIND }, { signal, timeoutMs: FIND_TIMEOUT_MS, heedsUser });
  const output = await find(false).catch((error: unknown) => {
    // Somebody else's, as in a container: whether it is safe all the same is among the user's settings.
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
