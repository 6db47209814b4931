import type { ExecutionEnvironment } from "@switchyard/contracts";

/** An untrusted repository must neither start anything nor hold a session up. */
const GIT_TIMEOUT_MS = 5_000;

/** architecture, decision 26: nothing of the repository's own configuration starts a program. */
const HARDENING: readonly string[] = [
  "--no-pager",
  "--no-optional-locks",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.untrackedCache=false",
  "-c",
  "log.showSignature=false",
  "-c",
  "safe.bareRepository=explicit",
  "-c",
  "diff.external=",
];

/** Variables that could change what git does are not passed on; a missing object is never fetched. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_PAGER: "cat",
  LC_ALL: "C",
};

/** How git is run. */
export interface RunGitOptions {
  /** Settings that are overridden on top: `name=value`. */
  readonly config?: readonly string[] | undefined;
  /** Most characters of output. */
  readonly maxOutputChars?: number | undefined;
  /** Ends it when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** What git printed, or nothing when it is missing, fails or takes too long. Never rejects. loop: §6.4, decision 26. */
export async function runGit(
  environment: ExecutionEnvironment,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<string | undefined> {
  const { signal, maxOutputChars } = options;
  const config = (options.config ?? []).flatMap((entry) => ["-c", entry]);
  try {
    const result = await environment.exec(["git", ...HARDENING, ...config, ...args], {
      timeoutMs: GIT_TIMEOUT_MS,
      // `core` leaves every GIT_ variable of the host behind.
      env: { policy: "core", set: VARIABLES },
      ...(signal === undefined ? {} : { signal }),
      ...(maxOutputChars === undefined ? {} : { maxOutputChars }),
    });
    return result.exitCode === 0 && !result.timedOut && !result.aborted ? result.stdout : undefined;
  } catch {
    return undefined;
  }
}
