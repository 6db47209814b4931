import type { LaunchTarget } from "@switchyard/adapter-kit";
import type { AgentMcpServer } from "@switchyard/contracts";

/** What a session keeps of itself and of its turn. */
export class OpencodeState {
  /** Where its processes run. */
  readonly target: LaunchTarget;
  readonly mcpServers: Readonly<Record<string, AgentMcpServer>>;
  /** The session that answers; empty until it is known. */
  sessionId: string;
  /** Why the last step of the turn ended; empty until one has. */
  stopReason = "";
  /** How specific the reported failure is: 0 without one. Nothing later takes a failure back. */
  failureRank = 0;
  /** Whether anything of the turn was understood. */
  wasHeard = false;
  /** Calls of tools that have begun in the turn. */
  readonly tools: Set<string> = new Set();

  constructor(target: LaunchTarget, { sessionId, mcpServers }: Pick<OpencodeState, "sessionId" | "mcpServers">) {
    this.target = target;
    this.sessionId = sessionId;
    this.mcpServers = mcpServers;
  }

  /** Begins a turn. */
  beginTurn(): void {
    this.stopReason = "";
    this.failureRank = 0;
    this.wasHeard = false;
    this.tools.clear();
  }
}
