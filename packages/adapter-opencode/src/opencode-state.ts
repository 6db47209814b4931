import type { AgentMcpServer } from "@switchyard/contracts";

/** What a session keeps of itself and of its turn. */
export class OpencodeState {
  readonly workspacePath: string;
  readonly mcpServers: Readonly<Record<string, AgentMcpServer>>;
  /** The session that answers; empty until it is known. */
  sessionId: string;
  /** Why the last step of the turn ended; empty until one has. */
  stopReason = "";
  /** Whether a failure was reported, which nothing later takes back. */
  hasFailed = false;
  /** Calls of tools that have begun in the turn. */
  readonly tools: Set<string> = new Set();

  constructor(workspacePath: string, { sessionId, mcpServers }: Pick<OpencodeState, "sessionId" | "mcpServers">) {
    this.workspacePath = workspacePath;
    this.sessionId = sessionId;
    this.mcpServers = mcpServers;
  }

  /** Begins a turn. */
  beginTurn(): void {
    this.stopReason = "";
    this.hasFailed = false;
    this.tools.clear();
  }
}
