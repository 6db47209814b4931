import type {
  Dependencies,
  Engine,
  ExecutionEnvironment,
  HostMiddleware,
  Publisher,
  RunStore,
  UserPrompter,
} from "@switchyard/contracts";
import type { Budget, EngineRegistry } from "@switchyard/engine";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { Secret } from "@switchyard/secrets";
import type { RunBudget } from "@switchyard/stores/budget";
import type { Timer } from "../control/timer.ts";
import type { OutputOptions } from "../output/output-options.ts";
import type { NetworkRequests } from "../preflight/open-configured-environment.ts";
import type { RetryOptions } from "../retry/retry-options.ts";

/** Run for which shared budgets are opened. */
export interface SharedBudgetRequest {
  /** Owner of the run. `undefined` if the run has none. */
  readonly owner: string | undefined;
  /** Signal that cancels the run. */
  readonly signal: AbortSignal | undefined;
}

/** Options of every attempt of a run: the first attempt, and attempts that resume the run. */
export interface SessionOptions {
  /** Engine, or its name in `registry`. */
  engine: string | Engine;
  /** Registry that resolves engine names. */
  registry?: EngineRegistry | undefined;
  /** Name of the engine in records and results. Default: the name in `engine`, otherwise `custom`. */
  engineName?: string | undefined;
  /**
   * Environment in which the engine works. An open environment stays open: its owner closes it. If a configuration is
   * given, the session opens the environment. It closes the environment, with all processes in it, when the attempt
   * ends.
   */
  environment: ExecutionEnvironment | EnvironmentConfig;
  /**
   * Network requests of an open environment, whose decisions become events of the run. Default: none. If `environment`
   * is a configuration, the session reports its network requests itself.
   */
  networkRequests?: NetworkRequests | undefined;
  /** Store of the run. The session does not close the store. Default: files in `stateDirectory`. */
  store?: RunStore | undefined;
  /**
   * Folder that stores the runs, outside the workspace. The folder is created if it does not exist. Required without
   * `store`; with a store, it only names a folder that the workspace diff excludes.
   */
  stateDirectory?: string | undefined;
  /**
   * Attributes of the run that the host (the program that starts the run) sets, such as `tenant.id`. Stored with the
   * run. `agent.id` defaults to the engine's name.
   */
  attributes?: Readonly<Record<string, string>> | undefined;
  /**
   * Further dependencies that are injected into the engine. The runner sets `environment`, `control` and the model call
   * recorder.
   */
  deps?: Dependencies | undefined;
  /** Middleware that wraps the host: the functions that the engine may call. The first is the outermost. */
  middlewares?: readonly (HostMiddleware | undefined)[] | undefined;
  /** Budget of all attempts together. Stored with the run. Default: no limit. */
  budget?: Omit<Budget, "used"> | undefined;
  /**
   * Opens the budgets that the run shares with other runs, such as those of a day and of the run's owner. Called once for
   * each attempt, before the attempt is stored. If the function rejects, the attempt does not start. A run for which the
   * function resolves with `undefined` has no shared budget. Default: none.
   */
  openSharedBudget?: ((run: SharedBudgetRequest) => Promise<RunBudget | undefined>) | undefined;
  /** Automatic retries of attempts that fail. Stored with the run. Default: one attempt. */
  retry?: RetryOptions | undefined;
  /** JSON Schema of the final message. Stored with the run. Default: any text. */
  output?: OutputOptions | undefined;
  /**
   * Publisher, such as an event bus, that receives every event after the event is stored. Failures of the publisher do
   * not affect the run.
   */
  observer?: Publisher | undefined;
  /**
   * Called with the error that failed or stopped the run, including its causes, for diagnostics. The report contains
   * the error without its causes. Errors thrown by this callback are ignored.
   */
  onError?: ((error: unknown) => void) | undefined;
  /** Function that asks the user the engine's questions, for example in a terminal. */
  userPrompter?: UserPrompter | undefined;
  /** Whether questions can be answered through `SessionHandle.answer`. Default: false. */
  isAnswerable?: boolean | undefined;
  /** Cancels the run when this signal aborts. */
  signal?: AbortSignal | undefined;
  /** Values that are masked in events, recordings and reports. */
  secrets?: Iterable<string | Secret> | undefined;
  /** Model reference to store in records if the input names no model. */
  model?: string | undefined;
  /**
   * Whether the report contains the changes to the workspace since the start of the first attempt. Default: true. If
   * the caller opened the environment, the report contains changes only for a local environment that is not wrapped.
   */
  workspaceDiff?: boolean | undefined;
  /**
   * Wraps the environment that the engine works in, for hosts whose file content differs from the disk, such as editors
   * with unsaved changes. Workspace changes are still measured on the disk. Contract: disposing the wrapper leaves the
   * environment open.
   */
  wrapEnvironment?: ((environment: ExecutionEnvironment) => ExecutionEnvironment) | undefined;
  /**
   * True to store the output of the engine's processes, such as an agent's command, as an artifact. Known secrets are
   * masked in it. Default: false.
   */
  keepRawOutput?: boolean | undefined;
  /**
   * Maximum size of the file that stores one tool output, in bytes. Of longer outputs, only head and tail are stored.
   * Default: 1 GiB.
   */
  maxSpoolBytes?: number | undefined;
  /**
   * Time between an interrupt and the cancellation of an engine that ignores the interrupt, in milliseconds. Default:
   * 10,000.
   */
  interruptGraceMs?: number | undefined;
  /**
   * Time after cancellation until the runner abandons an engine that does not stop, in milliseconds. Default: 5,000.
   */
  cancelGraceMs?: number | undefined;
  /** Name of the worker of a cluster that executes the attempt. Stored in the record. Default: none. */
  worker?: string | undefined;
  /**
   * Name and version of the host (the program that starts the run), stored in the record, such as `switchyard 1.2.0`.
   */
  createdBy?: string | undefined;
  /** Wall clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Monotonic clock and timer. Default: those of the process. */
  timer?: Timer | undefined;
  /** Random number from 0 to 1, for the jitter of retries. Default: `Math.random`. */
  random?: (() => number) | undefined;
  /** Creates ids of events and questions. Default: random UUIDs. */
  createId?: (() => string) | undefined;
}
