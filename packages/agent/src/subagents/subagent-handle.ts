import type { SubagentResult, SubagentStatus, Usage } from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";
import type { Session } from "../session/session.ts";

/** A child of a session, for the host. loop: SubAgentHandle, §7.3. */
export interface SubagentHandle {
  /** Its id, as the model knows it and as its events carry it. */
  readonly id: string;
  /** How its work is going. */
  readonly status: SubagentStatus;
  /** Its own session, with a history of its own. */
  readonly session: Session;
  /** Tokens of its answers, its own children's included. */
  readonly usage: Usage;
  /** Its state at its last boundary, as it is kept with its parent's. architecture: decision 22. */
  readonly boundary: SubagentBoundary;
  /** How far it is. loop: SubAgentResult, §7.3. */
  readonly result: SubagentResult;
}
