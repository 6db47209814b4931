import type { EngineError, SpawnedProcess } from "@switchyard/contracts";

/** How a client program ended. */
export interface ClientFailure {
  /** Exit code of the client program, which is seldom that of the command. */
  readonly exitCode: number;
  /** What it said, bounded. */
  readonly stderr: string;
}

/** A place that is reached by a client program: a container, a pod, another machine. */
export interface RemoteBackend {
  /** Short name of the place, for reports: `docker:IMAGE`, `ssh:HOST`, … */
  readonly name: string;
  /**
   * Whether the last output of a script that ends at once may be lost on its way. Scripts of commands without input then
   * wait until they were heard.
   */
  readonly losesLastOutput?: boolean | undefined;
  /**
   * Whether all that runs there shares a bound of memory, as in a container. Commands are ended for lack of it before
   * whatever keeps the place alive and tells of them.
   */
  readonly boundsMemory?: boolean | undefined;
  /**
   * Starts `sh -c SCRIPT` in the place (POSIX sh, busybox included) and hands out the client's streams. Contract: the
   * script is the only thing of a call that the client's arguments hold; standard input reaches it, and its end too.
   */
  start(script: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<SpawnedProcess>;
  /** What it means that the client, not the command, failed. */
  explain(failure: ClientFailure): EngineError;
  /** Ends what was made for the run. Contract: never rejects, and a second call does nothing. */
  close(): Promise<void>;
}
