import type { Board, ExecutionEnvironment, Host, Run, SessionInput } from "@switchyard/contracts";
import type { Session } from "../session/session.ts";
import type { AgentEngineOptions } from "./agent-engine-options.ts";

/** One run of the engine, with everything it needs. */
export interface SessionRun extends AgentEngineOptions {
  readonly name: string;
  readonly now: () => number;
  readonly createId: () => string;
  readonly run: Run;
  readonly host: Host;
  readonly board: Board;
  readonly input: SessionInput;
  readonly environment: ExecutionEnvironment;
  /** Who the steps of the run belong to. */
  readonly agentId: string;
  /** The sessions of the engine that are going on. */
  readonly sessions: Set<Session>;
}

/** How a session ended, as its events told it. */
export interface Ending {
  /** Whether the agent came to its end by itself. */
  isComplete: boolean;
  /** What stopped it. */
  error: Error | undefined;
  /** The limit that was reached, as a sentence. */
  limit?: string | undefined;
}
