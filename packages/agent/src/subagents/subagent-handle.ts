import type { SubagentResult, SubagentStatus, Usage } from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";

/**
 * A subagent, as the host sees it. `TSession` is the class of its session: `Session`.
 * loop: SubAgentHandle, §7.3.
 */
export interface SubagentHandle<TSession> {
  /** Its id, as the model knows it and as its events carry it. */
  readonly id: string;
  /** How its work is going. */
  readonly status: SubagentStatus;
  /** Its own session, with a history of its own. */
  readonly session: TSession;
  /** Tokens of its answers, its own children's included. */
  readonly usage: Usage;
  /** Its state at its last boundary, as it is kept with its parent's. architecture: decision 22. */
  readonly boundary: SubagentBoundary;
  /** How far it is. loop: SubAgentResult, §7.3. */
  readonly result: SubagentResult;
}
