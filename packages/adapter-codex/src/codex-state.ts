import type { JsonObject } from "@switchyard/adapter-kit";
import type { AgentMcpServer } from "@switchyard/contracts";
import { createLatch, type Latch } from "./latch.ts";
import { ThreadUsage } from "./thread-usage.ts";

/** What a session keeps: of the process under way, of its thread and of its turn. */
export class CodexState {
  readonly workspacePath: string;
  readonly mcpServers: Readonly<Record<string, AgentMcpServer>>;
  readonly usage: ThreadUsage = new ThreadUsage();
  /** Thread that the session works in; empty until it is known. */
  threadId = "";
  /** Model that the thread uses. */
  model = "";
  /** Turn under way; empty until it is known. */
  turnId = "";
  /** Whether one is under way. */
  isRunning = false;
  /** Tool calls that began in the turn under way. */
  readonly tools: Set<string> = new Set();
  /** Turns that were asked of this process. */
  turns = 0;
  /** The answer to a sign-in: whether it worked. */
  signedIn: Latch<boolean> = createLatch();
  /** The thread has told of itself. */
  threadStarted: Latch<void> = createLatch();
  /** The turn under way is over. */
  turnOver: Latch<void> = createLatch();

  constructor(workspacePath: string, mcpServers: Readonly<Record<string, AgentMcpServer>> = {}) {
    this.workspacePath = workspacePath;
    this.mcpServers = mcpServers;
  }

  /** Begins with a process. */
  beginProcess(): void {
    this.turns = 0;
    this.endTurn();
    this.signedIn = createLatch();
    this.threadStarted = createLatch();
  }

  /** Begins with a thread. Another one than before has other totals. */
  beginThread(id: string, { isNew, model }: { readonly isNew: boolean; readonly model: string }): void {
    if (isNew || this.threadId !== id) this.usage.begin({ isNew });
    this.threadId = id;
    this.model = model;
  }

  /** Begins a turn. */
  beginTurn(): void {
    this.turns += 1;
    this.turnId = "";
    this.isRunning = true;
    this.tools.clear();
    this.turnOver = createLatch();
    this.usage.beginTurn();
  }

  /** Learns the id of the turn under way. A message without an id, or about a turn that is over, changes nothing. */
  nameTurn(id: string): void {
    if (this.isRunning && id !== "") this.turnId = id;
  }

  /** True if a message is about the turn under way. Messages of older releases may not name their turn. */
  isAboutTurn(id: string): boolean {
    return this.isRunning && this.turnId !== "" && (id === "" || id === this.turnId);
  }

  /** Ends a turn: what comes later is about none. */
  endTurn(): void {
    this.turnId = "";
    this.isRunning = false;
    this.turnOver.open();
  }

  /** Whether a message is about another thread, such as that of a subagent. */
  isForeign(params: JsonObject): boolean {
    const id = params["threadId"];
    return typeof id === "string" && this.threadId !== "" && id !== this.threadId;
  }
}
