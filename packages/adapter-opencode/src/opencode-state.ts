import type { LaunchTarget } from "@switchyard/adapter-kit";
import type { AgentMcpServer } from "@switchyard/contracts";

/** State of a session and of its current turn. */
export class OpencodeState {
  /** Environment of its processes. */
  readonly target: LaunchTarget;
  readonly mcpServers: Readonly<Record<string, AgentMcpServer>>;
  /** Id of the session; empty until `opencode` reports it. */
  sessionId: string;
  /** Why the last step of the turn ended; empty until a step has ended. */
  stopReason = "";
  /**
   * Rank of the failure reported so far; 0 if there is none. A more specific failure has a higher rank and replaces it.
   */
  failureRank = 0;
  /** True if any output of the turn was understood. */
  wasUnderstood = false;
  /** Ids of tool calls that started in the turn. */
  readonly tools: Set<string> = new Set();

  constructor(target: LaunchTarget, { sessionId, mcpServers }: Pick<OpencodeState, "sessionId" | "mcpServers">) {
    this.target = target;
    this.sessionId = sessionId;
    this.mcpServers = mcpServers;
  }

  /** Resets the state for a new turn. */
  beginTurn(): void {
    this.stopReason = "";
    this.failureRank = 0;
    this.wasUnderstood = false;
    this.tools.clear();
  }
}
