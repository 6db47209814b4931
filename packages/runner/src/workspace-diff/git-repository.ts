import type { ExecResult, ExecutionEnvironment } from "@switchyard/contracts";

/** Time one git command may take, in milliseconds. */
const GIT_TIMEOUT_MS = 60_000;
/** Most characters of one answer of git; the list of half a million files fits. */
const MAX_OUTPUT_CHARACTERS = 64 * 1024 * 1024;

/** Nothing of a machine's or a user's configuration, no prompts, no locks of others, no pathspec magic. */
const ISOLATED: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ADVICE: "0",
  LC_ALL: "C",
};

/** Switches off everything a repository can make git run. architecture: decision 26. */
const HARDENED: readonly string[] = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.pager=cat",
  "-c",
  "safe.bareRepository=explicit",
  "-c",
  "protocol.allow=never",
];

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
    super(`git ${command} failed: ${reason === "" ? `exit code ${result.exitCode}` : reason}`);
    this.exitCode = result.exitCode;
  }
}

/** How one git command is run. */
export interface GitOptions {
  /** Variables on top. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** Settings on top, `name=value`. */
  settings?: readonly string[] | undefined;
  /** What it reads. */
  stdin?: string | undefined;
  /** Highest exit code that is no failure; 0 by default. */
  maxExitCode?: number | undefined;
  /** Ends it when it fires. */
  signal?: AbortSignal | undefined;
  /** Time it may take, in milliseconds; a minute by default. */
  timeoutMs?: number | undefined;
}

/** Runs git in the workspace and gives its output. Throws `GitFailure`. */
export async function runGit(
  environment: ExecutionEnvironment,
  argv: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const settings = (options.settings ?? []).flatMap((setting) => ["-c", setting]);
  const result = await environment.exec(["git", ...HARDENED, ...settings, ...argv], {
    env: { policy: "core", set: { ...ISOLATED, ...options.variables } },
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
    maxOutputChars: MAX_OUTPUT_CHARACTERS,
    stdin: options.stdin,
    signal: options.signal,
  });
  if (result.exitCode > (options.maxExitCode ?? 0) || result.timedOut || result.aborted)
    throw new GitFailure(argv[0] ?? "", result);
  if (result.droppedBytes > 0)
    throw new Error(`the output of git ${argv[0] ?? ""} is larger than ${MAX_OUTPUT_CHARACTERS} characters`);
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
 * Whether a repository looks away from the workspace: it lies in a folder that is ignored, and nothing in it was added all
 * the same.
 */
export async function isIgnoredWorkspace(environment: ExecutionEnvironment, signal?: AbortSignal): Promise<boolean> {
  const silent = ["check-ignore", "--quiet", "--", "."];
  // It takes no literal path.
  const variables = { GIT_LITERAL_PATHSPECS: "0" };
  const isIgnored = await runGit(environment, silent, { signal, variables }).then(
    () => true,
    () => false,
  );
  return isIgnored && (await runGit(environment, ["ls-files", "-z", "--", "."], { signal })) === "";
}

/** Finds the repository the workspace lies in. Throws `GitFailure` where there is none. */
export async function findRepository(environment: ExecutionEnvironment, signal?: AbortSignal): Promise<GitRepository> {
  const paths = ["--git-path", "objects", "--git-path", "index", "--git-path", "info/exclude"];
  const argv = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--show-object-format", ...paths];
  const output = await runGit(environment, argv, { signal });
  const [top, objectFormat, objects, index, exclude, ...rest] = output.split("\n");
  const isComplete = objects !== undefined && index !== undefined && exclude !== undefined && rest.join("") === "";
  if (top === undefined || objectFormat === undefined || !isComplete) {
    throw new Error("the paths of the repository cannot be read");
  }
  return { top, objectFormat, objects, index, exclude };
}
