import type { SubagentResult, SubagentStatus, Usage } from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";

/**
 * Subagent as the host sees it. `TSession` is the type of the subagent's session, for hosts always `Session`. See loop:
 * SubAgentHandle, §7.3.
 */
export interface SubagentHandle<TSession> {
  /** Id, as used by the model and in events. */
  readonly id: string;
  /** Status of the subagent's work. */
  readonly status: SubagentStatus;
  /** Session of the subagent, with a separate history. */
  readonly session: TSession;
  /** Usage of the subagent's responses, including those of its descendants. */
  readonly usage: Usage;
  /** Last stored state of the subagent. It is part of its parent's stored state. See architecture: decision 22. */
  readonly boundary: SubagentBoundary;
  /** Current result. See loop: SubAgentResult, §7.3. */
  readonly result: SubagentResult;
}
