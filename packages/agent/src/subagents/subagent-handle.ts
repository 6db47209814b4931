import type { SubagentResult, SubagentStatus, Usage } from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";

/** Subagent as the host sees it. `TSession` is the class of its session: `Session`. loop: SubAgentHandle, §7.3. */
export interface SubagentHandle<TSession> {
  /** Id, as used by the model and in events. */
  readonly id: string;
  /** Status of its work. */
  readonly status: SubagentStatus;
  /** Its session, with a separate history. */
  readonly session: TSession;
  /** Usage of its responses, including its own subagents. */
  readonly usage: Usage;
  /** State at its last boundary, as stored with its parent's. architecture: decision 22. */
  readonly boundary: SubagentBoundary;
  /** Current result. loop: SubAgentResult, §7.3. */
  readonly result: SubagentResult;
}
