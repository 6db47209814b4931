import {
  type ExecutionEnvironment,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  type GitSetting,
  guardedGit,
} from "@switchyard/contracts";

/** An untrusted repository must neither start anything nor hold a session up. */
const GIT_TIMEOUT_MS = 5_000;

/** How git is run. */
export interface RunGitOptions {
  /** Folder to run in; the working directory by default. At the root of a repository, git need not search for it. */
  readonly folder?: string | undefined;
  /** Settings on top; their names hold no `=`. */
  readonly settings?: readonly GitSetting[] | undefined;
  /** Most characters of output. */
  readonly maxOutputChars?: number | undefined;
  /** Whether output that is cut counts as none. */
  readonly isWhole?: boolean | undefined;
  /** What it reads from standard input; nothing by default. */
  readonly stdin?: string | undefined;
  /** Ends it when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** What git printed, or nothing when it is missing, fails or takes too long. Never rejects. loop: §6.4, decision 26. */
export async function runGit(
  environment: ExecutionEnvironment,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<string | undefined> {
  const { folder, settings, signal, stdin, maxOutputChars, isWhole = false } = options;
  try {
    const result = await environment.exec(guardedGit(folder === undefined ? args : ["-C", folder, ...args], settings), {
      timeoutMs: GIT_TIMEOUT_MS,
      env: { policy: "core", allow: GIT_USER_VARIABLES, set: GIT_GUARD_VARIABLES },
      ...(signal === undefined ? {} : { signal }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(maxOutputChars === undefined ? {} : { maxOutputChars }),
    });
    if (isWhole && result.droppedBytes > 0) return undefined;
    return result.exitCode === 0 && !result.timedOut && !result.aborted ? result.stdout : undefined;
  } catch {
    return undefined;
  }
}
