import {
  type ExecResult,
  type ExecutionEnvironment,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  type GitSetting,
  guardedGit,
} from "@switchyard/contracts";

/** Additional git settings that disable prompts and hints. */
const SETTINGS: readonly GitSetting[] = [
  ["core.sshCommand", "ssh -oBatchMode=yes"],
  ["core.askPass", "/bin/false"],
  ["credential.helper", ""],
  ["advice.detachedHead", "false"],
];

/** Options for running git. */
export interface GitOptions {
  /** Standard input. */
  readonly stdin?: string | undefined;
  /** Additional environment variables, such as credentials. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of protocols that git may use to fetch. Default: none. */
  readonly protocols?: readonly string[] | undefined;
  /** Time limit, in milliseconds. Default: five minutes. */
  readonly timeoutMs?: number | undefined;
  /** Signal that ends git when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

const GIT_MS = 300_000;
/** Maximum size of a patch, in characters. */
const MAX_OUTPUT_CHARS = 64 * 1024 * 1024;

/** Runs git without prompts, and without hooks, filters or other programs that the repository configures. */
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
