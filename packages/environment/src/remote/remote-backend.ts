import type { EngineError, ExposedSocket, SpawnedProcess } from "@switchyard/contracts";

/** Failure of a client program: its exit code and error output. */
export interface ClientFailure {
  /** Exit code of the client program itself, which usually differs from the exit code of the command. */
  readonly exitCode: number;
  /** Error output of the client program, truncated. */
  readonly stderr: string;
}

/** An environment that is accessed through a client program: a container, a pod, another machine. */
export interface RemoteBackend {
  /** Short name of the environment, for reports: `docker:IMAGE`, `ssh:HOST`, … */
  readonly name: string;
  /**
   * True if the last output of a script that exits immediately may be lost. If true, the script of a command without
   * input exits only after the client has closed its input.
   */
  readonly losesLastOutput?: boolean | undefined;
  /**
   * True if all processes share a memory limit, as in a container. If true and memory runs out, the kernel kills
   * commands first, before the processes that monitor them or keep the container alive.
   */
  readonly boundsMemory?: boolean | undefined;
  /**
   * Starts `sh -c SCRIPT` in the environment (POSIX sh, including busybox) and returns the client's streams. Contract:
   * the client's arguments contain only the script, never a command or its data. The script's standard input is
   * connected, and closing the client's input reaches the script.
   */
  start(script: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<SpawnedProcess>;
  /** See `ExecutionEnvironment.exposeSocket`. */
  exposeSocket?(): Promise<ExposedSocket | undefined>;
  /** Returns the error for a failure of the client program itself, as opposed to the command. */
  explain(failure: ClientFailure): EngineError;
  /** Removes everything created for the run. Contract: never rejects, and a second call does nothing. */
  close(): Promise<void>;
}
