import type { SubagentControl, Usage } from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";

/** Subagents of a session, as the loop and its tools use them. */
export interface SessionSubagents extends SubagentControl {
  /** Usage of all subagents together. */
  readonly usage: Usage;
  /** True if at least one subagent is not closed. */
  readonly isActive: boolean;
  /** Resumes the subagents that were working in an earlier process. */
  resume(): void;
  /** Closes all subagents. Resolves when all are closed. See loop: Appendix B, graceful shutdown step 6. */
  end(): Promise<void>;
  /** Requests that each working subagent stores its state soon, in addition to the regular times. */
  suggestBoundary(): void;
  /**
   * Deletes the ids of the tool calls that sent inputs to subagents. Called when a round of tool calls is complete.
   * Until then, a call may be repeated after a crash. The stored ids prevent a repeated call from sending its input
   * again.
   */
  clearReceivedInputs(): void;
  /** Returns the last stored state of each subagent, in the order in which the subagents were spawned. */
  boundaries(): readonly SubagentBoundary[];
  /**
   * Stores the state of the root session and all subagents. Rejects if storing fails. See architecture: decision 22.
   */
  save(): Promise<void>;
}
