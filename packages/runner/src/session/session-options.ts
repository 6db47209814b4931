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
import type { Timer } from "../control/timer.ts";
import type { OutputOptions } from "../output/output-options.ts";
import type { RetryOptions } from "../retry/retry-options.ts";

/** How an attempt of a run is made, the first as well as a later one. */
export interface SessionOptions {
  /** The engine, or its name in the registry. */
  engine: string | Engine;
  /** Where engine names are looked up. */
  registry?: EngineRegistry | undefined;
  /** Name of the engine in records and results, where `engine` is no name; `custom` by default. */
  engineName?: string | undefined;
  /**
   * Where files and processes live. An environment stays open and is the caller's to close; one that is made of a
   * configuration is closed, with all its processes, when the attempt is over.
   */
  environment: ExecutionEnvironment | EnvironmentConfig;
  /** Keeps the run; files in `stateDirectory` by default. It stays open. */
  store?: RunStore | undefined;
  /**
   * Folder that holds the run folders, outside of the workspace; made when it is missing. Needed without a `store`;
   * with one it is only what the workspace's diff leaves out.
   */
  stateDirectory?: string | undefined;
  /** Marks of the host, such as `tenant.id`; the session's own are added, `agent.id` is the engine's name by default. They are kept with the run. */
  attributes?: Readonly<Record<string, string>> | undefined;
  /** What else the engine is given; `environment`, `control` and the recorder are set by the runner. */
  deps?: Dependencies | undefined;
  /** Wraps the host; the first is the outermost. */
  middlewares?: readonly (HostMiddleware | undefined)[] | undefined;
  /** What all attempts of the run together may use; kept with the run. Without limit by default. */
  budget?: Omit<Budget, "used"> | undefined;
  /** How often the run is tried by itself when it fails on the way; kept with the run. Once by default. */
  retry?: RetryOptions | undefined;
  /** What the answer has to be; kept with the run. Any text by default. */
  output?: OutputOptions | undefined;
  /** Told of every event after it was stored, such as a bus; what it does cannot harm the run. */
  observer?: Publisher | undefined;
  /**
   * Told of what the run failed with or was stopped by, with its causes: for diagnostics, the report has the short
   * form. What it throws is ignored.
   */
  onError?: ((error: unknown) => void) | undefined;
  /** Answers the engine's questions by itself, such as a terminal. */
  userPrompter?: UserPrompter | undefined;
  /** Whether somebody may answer through `SessionHandle.answer`; false by default. */
  isAnswerable?: boolean | undefined;
  /** Cancels the run. */
  signal?: AbortSignal | undefined;
  /** Values that must not appear in events, recordings and reports. */
  secrets?: Iterable<string | Secret> | undefined;
  /** Model reference for records, where the input names none. */
  model?: string | undefined;
  /**
   * Whether the report has the changes to the workspace since the first attempt began; true by default. Of environments
   * that the caller opened only a local one without a wrapper has them.
   */
  workspaceDiff?: boolean | undefined;
  /**
   * Wraps the environment that the engine works in, for hosts that show its files otherwise than the disk does. The
   * workspace's changes are still measured on the disk. Contract: disposing of the wrapper leaves the environment open.
   */
  wrapEnvironment?: ((environment: ExecutionEnvironment) => ExecutionEnvironment) | undefined;
  /**
   * Whether what the engine's own processes print, such as an agent's command, is kept as an artifact of the run,
   * without known secrets. False by default.
   */
  keepRawOutput?: boolean | undefined;
  /** Most bytes that are kept of one output of a tool, in a file of the run; beyond, its head and tail. 1 GiB by default. */
  maxSpoolBytes?: number | undefined;
  /** Time an engine has to heed an interrupt, in milliseconds; 10,000 by default. */
  interruptGraceMs?: number | undefined;
  /** Time an engine has to stop when it is cancelled, in milliseconds; 5,000 by default. Then it is given up. */
  cancelGraceMs?: number | undefined;
  /** Release that starts the run, for its record, such as `switchyard 1.2.0`. */
  createdBy?: string | undefined;
  /** Wall clock, in milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined;
  /** Measures and waits; the process's timer by default. */
  timer?: Timer | undefined;
  /** Chance from 0 to 1 for the wait between two tries; `Math.random` by default. */
  random?: (() => number) | undefined;
  /** Makes ids of events and questions; random by default. */
  createId?: (() => string) | undefined;
}
