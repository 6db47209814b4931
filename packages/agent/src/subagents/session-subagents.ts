import type { SubagentControl, Usage } from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";

/** Subagents of a session, as the loop and its tools use them. */
export interface SessionSubagents extends SubagentControl {
  /** Usage of all subagents together. */
  readonly usage: Usage;
  /** True if a subagent is not closed. */
  readonly isActive: boolean;
  /** Resumes the subagents that were working in an earlier process. */
  resume(): void;
  /** Closes all subagents; resolves when they are closed. loop: Appendix B, graceful shutdown step 6. */
  end(): Promise<void>;
  /** Requests a boundary from each subagent. */
  suggestBoundary(): void;
  /** Clears the ids of calls that sent inputs. Calls of a completed round are not executed again. */
  clearReceivedInputs(): void;
  /** Last boundary of each subagent, in the order in which they were spawned. */
  boundaries(): readonly SubagentBoundary[];
  /** Stores the state of the whole family; rejects if that fails. architecture: decision 22. */
  save(): Promise<void>;
}
