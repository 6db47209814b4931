import {
  type ExecutionEnvironment,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  type GitSetting,
  guardedGit,
} from "@switchyard/contracts";

/** Timeout of a git command, in milliseconds. An untrusted repository must not delay a session. */
const GIT_TIMEOUT_MS = 5_000;

/** Options for `runGit`. */
export interface RunGitOptions {
  /**
   * Folder in which git runs. Default: the working directory. If the folder is the root of a repository, git does not
   * search parent folders.
   */
  readonly folder?: string | undefined;
  /** Additional git settings. Names of settings must not contain `=`. */
  readonly settings?: readonly GitSetting[] | undefined;
  /** Maximum length of the output, in characters. Default: the environment's limit. */
  readonly maxOutputChars?: number | undefined;
  /** Whether truncated output counts as a failure. Default: `false`. */
  readonly isComplete?: boolean | undefined;
  /** Standard input of the command. Default: none. */
  readonly stdin?: string | undefined;
  /** Signal that ends the command when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs git safely in an untrusted repository and resolves with its output. `undefined` if git is missing, fails or
 * times out. Never rejects. See loop: §6.4, decision 26.
 */
export async function runGit(
  environment: ExecutionEnvironment,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<string | undefined> {
  const { folder, settings, signal, stdin, maxOutputChars, isComplete = false } = options;
  try {
    const result = await environment.exec(guardedGit(folder === undefined ? args : ["-C", folder, ...args], settings), {
      timeoutMs: GIT_TIMEOUT_MS,
      env: { policy: "core", allow: GIT_USER_VARIABLES, set: GIT_GUARD_VARIABLES },
      ...(signal === undefined ? {} : { signal }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(maxOutputChars === undefined ? {} : { maxOutputChars }),
    });
    if (isComplete && result.droppedBytes > 0) return undefined;
    return result.exitCode === 0 && !result.timedOut && !result.aborted ? result.stdout : undefined;
  } catch {
    return undefined;
  }
}
