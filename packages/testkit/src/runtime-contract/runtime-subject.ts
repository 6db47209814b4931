import type { Eventually } from "../contract/contract-case.ts";

/**
 * Behaviour of a simulated provider command. It performs these steps in order: reads the request, writes to standard
 * error, writes files, prints, exits. In every text, `%NAME%` is replaced by the command's environment variable NAME.
 */
export interface ProviderBehaviour {
  /** Fields that override those of a valid outcome. `"__omit__"` removes a field; `null` sets it to null. */
  readonly outcome?: Readonly<Record<string, unknown>> | undefined;
  /** Text printed instead of an outcome. */
  readonly prints?: string | undefined;
  /** Text written to standard error. */
  readonly stderr?: string | undefined;
  /** Files to write, relative to the command's folder. */
  readonly writes?: readonly string[] | undefined;
  /** Exit code. Default: 0. */
  readonly exit?: number | undefined;
  /** Signal that the command sends to itself at the end. */
  readonly signal?: "SIGKILL" | "SIGTERM" | undefined;
  /** True if the command hangs after printing. */
  readonly hangs?: boolean | undefined;
  /** True if the command prints about 2 MB before anything else. */
  readonly floods?: boolean | undefined;
  /** Number of calls in which the command returns status `failed`, before it succeeds. */
  readonly failures?: number | undefined;
  /** Failure classification that the command reports in its failed calls. Default: `transient`. */
  readonly failsAs?: string | undefined;
}

/** Options of a packaged runtime (a folder with a manifest and a command) in a conformance case. */
export interface RuntimeSetting {
  /**
   * Fields of the provider's manifest, in addition to `id`, `backend` and the command. A field `command` replaces the
   * command.
   */
  readonly provider: Readonly<Record<string, unknown>>;
  /** Behaviour of its command. */
  readonly behaviour: ProviderBehaviour;
  /** Secrets of the host (the program that starts the task), by variable name. */
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

/** A packaged runtime (a folder with a manifest and a command) under test, and its workspace. */
export interface RuntimeSubject {
  /** Value of `executor.backend` with which a request selects the runtime. */
  readonly backend: string;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the package. */
  readonly runtimePath: string;
  /** Executes a task. Resolves with the task's outcome. */
  execute(request: unknown, signal: AbortSignal): Promise<unknown>;
  /** Returns the inputs received by the command, one per call. */
  received(): Eventually<readonly ReceivedTask[]>;
  /** Releases all resources. */
  dispose?(): Eventually<void>;
}

/** Creates a packaged runtime with a simulated provider command, as the options require. */
export type RuntimeFactory = (setting: RuntimeSetting) => Eventually<RuntimeSubject>;
