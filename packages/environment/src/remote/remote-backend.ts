import type { EngineError, SpawnedProcess } from "@switchyard/contracts";

/** Exit of a client program. */
export interface ClientFailure {
  /** Exit code of the client program, which usually differs from the command's. */
  readonly exitCode: number;
  /** Its error output, truncated. */
  readonly stderr: string;
}

/** An environment that is accessed through a client program: a container, a pod, another machine. */
export interface RemoteBackend {
  /** Short name of the environment, for reports: `docker:IMAGE`, `ssh:HOST`, … */
  readonly name: string;
  /**
   * True if the last output of a script that exits immediately may be lost. Scripts of commands without input then wait
   * for an acknowledgement.
   */
  readonly losesLastOutput?: boolean | undefined;
  /**
   * True if all processes share a memory limit, as in a container. Commands are then killed before the processes that
   * keep the environment alive and monitor them.
   */
  readonly boundsMemory?: boolean | undefined;
  /**
   * Starts `sh -c SCRIPT` in the environment (POSIX sh, including busybox) and returns the client's streams. Contract:
   * the client's arguments contain nothing of a call but the script. The script receives standard input and its end.
   */
  start(script: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<SpawnedProcess>;
  /** Explains a failure of the client, as opposed to the command. */
  explain(failure: ClientFailure): EngineError;
  /** Removes everything created for the run. Contract: never rejects, and a second call does nothing. */
  close(): Promise<void>;
}
