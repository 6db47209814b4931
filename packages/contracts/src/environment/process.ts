/** Which of the host's environment variables a process sees. loop: §4.2. */
export type EnvironmentPolicy = "all" | "core" | "none";

/** Variables of a process. */
export interface EnvironmentVariables {
  /**
   * `all` (default): everything but secrets by name or by value; `core`: PATH, HOME and the like; `none`: nothing.
   */
  policy?: EnvironmentPolicy | undefined;
  /** Names that pass whatever the policy. */
  allow?: readonly string[] | undefined;
  /** Names that never pass. */
  deny?: readonly string[] | undefined;
  /** Values set on top, secrets included. */
  set?: Readonly<Record<string, string>> | undefined;
}

/** How a process is started. */
export interface SpawnOptions {
  /** Folder to run in, inside the workspace; the working directory by default. */
  cwd?: string | undefined;
  /** Variables it sees. */
  env?: EnvironmentVariables | undefined;
  /** Ends the process (group) when it fires. */
  signal?: AbortSignal | undefined;
}

/** How a command is run to its end. */
export interface ExecOptions extends SpawnOptions {
  /** Time until the process group is ended: SIGTERM, 2 s later SIGKILL. 0 or unset means no limit. loop: §5.4. */
  timeoutMs?: number | undefined;
  /** What the command reads; nothing by default. */
  stdin?: string | Uint8Array | undefined;
  /** Told of output while it arrives. */
  onOutput?: ((chunk: OutputChunk) => void) | undefined;
  /** Most characters kept per stream in memory; past it head and tail are kept. Default 256 KiB. */
  maxOutputChars?: number | undefined;
}

/** Some output of a running command. */
export interface OutputChunk {
  /** Where it came from. */
  stream: "stdout" | "stderr";
  /** Decoded text. */
  text: string;
}

/** How a command ended. loop: ExecResult, §4.1. */
export interface ExecResult {
  /** Standard output, bounded. */
  stdout: string;
  /** Standard error, bounded. */
  stderr: string;
  /** Exit code; 128 + n after signal n, 127 when the command does not exist. */
  exitCode: number;
  /** Name of the signal that ended it. */
  signal?: string | undefined;
  /** Whether the time limit ended it. */
  timedOut: boolean;
  /** Whether the caller's signal ended it. */
  aborted: boolean;
  /** Milliseconds by the monotonic clock. */
  durationMs: number;
  /** Bytes that were dropped from the middle of the streams. */
  droppedBytes: number;
  /** True if the command left processes running and they were ended after it. Not every environment can tell. */
  endedProcesses?: boolean | undefined;
}

/** A process in the caller's hands. Contract: its whole process group is gone after disposal. */
export interface SpawnedProcess extends AsyncDisposable {
  /** Id of the process, where the place has one. */
  readonly pid: number | undefined;
  /** Writes to standard input. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Standard output. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** Standard error. */
  readonly stderr: ReadableStream<Uint8Array>;
  /** How it ended; never rejects. */
  readonly exited: Promise<{ exitCode: number; signal?: string | undefined }>;
  /** Sends a signal to the process group, SIGTERM by default. */
  kill(signal?: "SIGTERM" | "SIGKILL" | "SIGINT"): void;
}
