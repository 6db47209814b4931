import type { ExecResult, ExecutionEnvironment } from "@switchyard/contracts";

/** Nothing that a repository configures runs. architecture: decision 26. */
const HARDENED: readonly string[] = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"],
  ...["-c", "core.sshCommand=ssh -oBatchMode=yes", "-c", "core.askPass=/bin/false", "-c", "credential.helper="],
  ...["-c", "safe.bareRepository=explicit", "-c", "advice.detachedHead=false"],
];

/** What is missing is not fetched on the way; a repository could have a say of its own where from. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  LC_ALL: "C",
};

/** What a git command is run with. */
export interface GitOptions {
  /** What it reads. */
  readonly stdin?: string | undefined;
  /** Variables beside the usual ones: credentials, for instance. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Ways by which it may fetch; none by default. */
  readonly protocols?: readonly string[] | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

const GIT_MS = 300_000;
/** Characters of a patch that are read. */
const MAX_OUTPUT_CHARS = 64 * 1024 * 1024;

/** Runs git such that the repository decides nothing: no hook, no filter of its own, no program, no prompt. */
export async function runGit(
  environment: ExecutionEnvironment,
  argv: readonly string[],
  { stdin, env, protocols = [], signal }: GitOptions = {},
): Promise<ExecResult> {
  return environment.exec(["git", ...HARDENED, ...argv], {
    ...{ timeoutMs: GIT_MS, maxOutputChars: MAX_OUTPUT_CHARS },
    env: { policy: "core", set: { ...env, ...VARIABLES, GIT_ALLOW_PROTOCOL: ["none", ...protocols].join(":") } },
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
  });
}
