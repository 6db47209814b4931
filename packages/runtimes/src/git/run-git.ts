import {
  type ExecResult,
  type ExecutionEnvironment,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  type GitSetting,
  guardedGit,
} from "@switchyard/contracts";

/** Beside the guard: what may be fetched is fetched without asking anybody, and without hints. */
const SETTINGS: readonly GitSetting[] = [
  ["core.sshCommand", "ssh -oBatchMode=yes"],
  ["core.askPass", "/bin/false"],
  ["credential.helper", ""],
  ["advice.detachedHead", "false"],
];

/** What a git command is run with. */
export interface GitOptions {
  /** What it reads. */
  readonly stdin?: string | undefined;
  /** Variables beside the usual ones: credentials, for instance. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Ways by which it may fetch; none by default. */
  readonly protocols?: readonly string[] | undefined;
  /** Time it may take, in milliseconds; five minutes by default. */
  readonly timeoutMs?: number | undefined;
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
  { stdin, env, protocols = [], timeoutMs = GIT_MS, signal }: GitOptions = {},
): Promise<ExecResult> {
  const allowed = { GIT_ALLOW_PROTOCOL: ["none", ...protocols].join(":") };
  return environment.exec(guardedGit(argv, SETTINGS), {
    ...{ timeoutMs, maxOutputChars: MAX_OUTPUT_CHARS },
    env: { policy: "core", allow: GIT_USER_VARIABLES, set: { ...env, ...GIT_GUARD_VARIABLES, ...allowed } },
    ...(stdin === undefined ? {} : { stdin }),
    ...(signal === undefined ? {} : { signal }),
  });
}
