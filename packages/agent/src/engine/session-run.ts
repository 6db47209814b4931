import type { Board, ExecutionEnvironment, Host, Run, SessionInput } from "@switchyard/contracts";
import type { Session } from "../session/session.ts";
import type { AgentEngineOptions } from "./agent-engine-options.ts";

/** A run of the agent engine: its input, host, environment and other dependencies. */
export interface SessionRun extends AgentEngineOptions {
  readonly name: string;
  readonly now: () => number;
  readonly createId: () => string;
  readonly run: Run;
  readonly host: Host;
  readonly board: Board;
  readonly input: SessionInput;
  readonly environment: ExecutionEnvironment;
  /** Agent id that appears in the names of the run's steps. */
  readonly agentId: string;
  /** Active sessions of the engine. */
  readonly sessions: Set<Session>;
}

/** How a session ended, as reported by its events. */
export interface Ending {
  /** Whether the agent completed the processing of the input. */
  isComplete: boolean;
  /** Error that stopped the session. `undefined` if the session ended without an error. */
  error: Error | undefined;
  /** Sentence about the limit that ended the session. `undefined` if no limit was reached. */
  limit?: string | undefined;
}
