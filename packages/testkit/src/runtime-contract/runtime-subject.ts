import type { Eventually } from "../contract/contract-case.ts";

/**
 * Steps of a provider command, in this order: read the request, write to standard error, write files, print, exit. In
 * every text, `%NAME%` is replaced by the command's variable NAME.
 */
export interface ProviderBehaviour {
  /** Overrides of a valid outcome. `null` is kept; `"__omit__"` removes the field. */
  readonly outcome?: Readonly<Record<string, unknown>> | undefined;
  /** Text printed instead of an outcome. */
  readonly prints?: string | undefined;
  /** Text written to standard error. */
  readonly stderr?: string | undefined;
  /** Files to write, relative to the command's folder. */
  readonly writes?: readonly string[] | undefined;
  /** Exit code. Default: 0. */
  readonly exit?: number | undefined;
  /** Signal by which it ends itself. */
  readonly signal?: "SIGKILL" | "SIGTERM" | undefined;
  /** True if it hangs after printing. */
  readonly hangs?: boolean | undefined;
  /** True if it first prints about 2 MB. */
  readonly floods?: boolean | undefined;
  /** Number of first calls that fail with status `failed`. */
  readonly failures?: number | undefined;
  /** Classification of those failures. Default: `transient`. */
  readonly failsAs?: string | undefined;
}

/** Setting of a packaged runtime in a case. */
export interface RuntimeSetting {
  /** Fields of the provider's declaration besides `id`, `backend` and the command; a `command` replaces it. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** Behaviour of its command. */
  readonly behaviour: ProviderBehaviour;
  /** Secrets of the host, by variable name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Variables of the host. */
  readonly variables: Readonly<Record<string, string>>;
  /** Files of the workspace. */
  readonly files: Readonly<Record<string, string>>;
}

/** Inputs received by a command. */
export interface ReceivedTask {
  /** Complete standard input. */
  readonly stdin: string;
  /** Arguments, including the program. */
  readonly argv: readonly string[];
  /** Variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly cwd: string;
}

/** A runtime and its workspace. */
export interface RuntimeSubject {
  /** Backend by which requests select it. */
  readonly backend: string;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the package. */
  readonly runtimePath: string;
  /** Executes a task. Resolves with its outcome. */
  execute(request: unknown, signal: AbortSignal): Promise<unknown>;
  /** Returns the inputs received by the command, one per call. */
  received(): Eventually<readonly ReceivedTask[]>;
  /** Releases all resources. */
  dispose?(): Eventually<void>;
}

/** Creates a runtime with the command behaviour of a case. */
export type RuntimeFactory = (setting: RuntimeSetting) => Eventually<RuntimeSubject>;
