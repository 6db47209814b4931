import type { EnvironmentOperation } from "../wrap-environment.ts";

/** One operation on an environment as it appears in the log: without file contents, input and values of variables. */
export interface LoggedCall {
  /** Number of the call, from 1. The entries for the start and the end of a call have the same number. */
  readonly call: number;
  /** Operation. */
  readonly operation: EnvironmentOperation;
  /** Paths as given by the caller. A rename has the old and the new path. */
  readonly paths: readonly string[];
  /** Pattern of a search. */
  readonly pattern?: string | undefined;
  /** Command line, or program and arguments. Values of variables set for the command are masked. */
  readonly command?: string | readonly string[] | undefined;
  /** Working folder of the command, if given. */
  readonly cwd?: string | undefined;
  /** Names of the variables set for the command. */
  readonly variables?: readonly string[] | undefined;
  /** Time limit of the command, in milliseconds. `undefined` if there is none. */
  readonly timeoutMs?: number | undefined;
}

/** Outcome of an operation. */
export interface LoggedOutcome {
  /** `done`, or `failed` if the call was rejected. A command that exits with a code other than 0 is `done`. */
  readonly outcome: "done" | "failed";
  /**
   * Duration in milliseconds, measured with the monotonic clock. The duration of a process ends when the process has
   * exited.
   */
  readonly durationMs: number;
  /** Exit code of a command or process. */
  readonly exitCode?: number | undefined;
  /** Signal that ended the command or process. */
  readonly signal?: string | undefined;
  /** True if the time limit of the command ended it. */
  readonly timedOut?: boolean | undefined;
  /** True if the caller's abort signal ended the command. */
  readonly aborted?: boolean | undefined;
  /** Error code, or the name of an error without a code. */
  readonly error?: string | undefined;
}

/** Entry in the log of an environment. One is written before each operation and one after it. */
export type EnvironmentLogEntry =
  | ({ readonly type: "started" } & LoggedCall)
  | ({ readonly type: "finished" } & LoggedCall & LoggedOutcome);
