/** Policy that decides which environment variables of the host a process inherits. See loop: §4.2. */
export type EnvironmentPolicy = "all" | "core" | "none";

/** Environment variables of a process. */
export interface EnvironmentVariables {
  /**
   * Variables to inherit. `all` (default): everything except secrets, detected by name or value. `core`: `PATH`, `HOME`
   * and similar. `none`: nothing.
   */
  policy?: EnvironmentPolicy | undefined;
  /** Names of variables that the process inherits regardless of `policy`. */
  allow?: readonly string[] | undefined;
  /** Names of variables that the process never inherits. */
  deny?: readonly string[] | undefined;
  /** Additional variables, secrets included. */
  set?: Readonly<Record<string, string>> | undefined;
}

/** Options for starting a process. */
export interface SpawnOptions {
  /** Working folder, inside the workspace. Default: the environment's working directory. */
  cwd?: string | undefined;
  /** Environment variables of the process. */
  env?: EnvironmentVariables | undefined;
  /** Ends the process group when this signal aborts. */
  signal?: AbortSignal | undefined;
}

/** Options for running a command to its end. */
export interface ExecOptions extends SpawnOptions {
  /**
   * Time limit, in milliseconds. At the limit the process group gets SIGTERM, and SIGKILL 2 s later. 0 or `undefined`:
   * no limit. See loop: §5.4.
   */
  timeoutMs?: number | undefined;
  /** Data for standard input. Default: none. */
  stdin?: string | Uint8Array | undefined;
  /** Called with output as it arrives. */
  onOutput?: ((chunk: OutputChunk) => void) | undefined;
  /** Maximum number of characters stored in memory per stream; longer output is cut in the middle. Default: 256 KiB. */
  maxOutputChars?: number | undefined;
}

/** A piece of output of a running command. */
export interface OutputChunk {
  /** Stream that the process wrote the output to. */
  stream: "stdout" | "stderr";
  /** Decoded text. */
  text: string;
}

/** Outcome of a command. See loop: ExecResult, §4.1. */
export interface ExecResult {
  /** Standard output, truncated to the limit. */
  stdout: string;
  /** Standard error, truncated to the limit. */
  stderr: string;
  /** Exit code; 128 + n after signal n, 127 when the command does not exist. */
  exitCode: number;
  /** Name of the signal that ended the process. `undefined` if no signal did. */
  signal?: string | undefined;
  /** True if the time limit ended the process. */
  timedOut: boolean;
  /** True if the caller's abort signal ended the process. */
  aborted: boolean;
  /** Duration, in milliseconds, by the monotonic clock. */
  durationMs: number;
  /** Number of bytes cut from the middle of the streams. */
  droppedBytes: number;
  /**
   * True if the command left processes running, which were then ended. `undefined` if the environment cannot detect
   * such processes.
   */
  endedProcesses?: boolean | undefined;
}

/** A process with its streams. Contract: disposal ends its whole process group. */
export interface SpawnedProcess extends AsyncDisposable {
  /** Id of the process. `undefined` if the environment has no process ids. */
  readonly pid: number | undefined;
  /** Stream to standard input. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Standard output. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** Standard error. */
  readonly stderr: ReadableStream<Uint8Array>;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<{ exitCode: number; signal?: string | undefined }>;
  /** Sends a signal to the process group. Default: SIGTERM. */
  kill(signal?: "SIGTERM" | "SIGKILL" | "SIGINT"): void;
}
