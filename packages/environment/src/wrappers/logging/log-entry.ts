import type { EnvironmentOperation } from "../wrap-environment.ts";

/** What an operation was asked to do; without contents, input and values of variables. */
export interface LoggedCall {
  /** Number of the call, from 1; the same in both entries of a call. */
  readonly call: number;
  /** What is done. */
  readonly operation: EnvironmentOperation;
  /** Paths as they were given; of a move the old one and the new one. */
  readonly paths: readonly string[];
  /** Pattern of a search. */
  readonly pattern?: string | undefined;
  /** The command line, or the program with its arguments; values that are set for it as variables are masked. */
  readonly command?: string | readonly string[] | undefined;
  /** Folder the command runs in, where one was given. */
  readonly cwd?: string | undefined;
  /** Names of the variables that are set for the command. */
  readonly variables?: readonly string[] | undefined;
  /** Milliseconds the command may take, where there is a limit. */
  readonly timeoutMs?: number | undefined;
}

/** How an operation ended. */
export interface LoggedOutcome {
  /** `done`, or `failed`: the call was rejected. A command that ends with an exit code but 0 is done. */
  readonly outcome: "done" | "failed";
  /** Milliseconds by the monotonic clock; of a process until it has ended. */
  readonly durationMs: number;
  /** Exit code of a command or process. */
  readonly exitCode?: number | undefined;
  /** Signal that ended it. */
  readonly signal?: string | undefined;
  /** Whether its time limit ended it. */
  readonly timedOut?: boolean | undefined;
  /** Whether the caller's signal ended it. */
  readonly aborted?: boolean | undefined;
  /** Code of the error, or the name of one that is not of the table. */
  readonly error?: string | undefined;
}

/** What a log is told: before an operation and when it has ended. */
export type EnvironmentLogEntry =
  | ({ readonly type: "started" } & LoggedCall)
  | ({ readonly type: "finished" } & LoggedCall & LoggedOutcome);
