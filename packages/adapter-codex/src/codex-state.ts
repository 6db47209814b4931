import type { JsonObject } from "@switchyard/adapter-kit";
import type { AgentMcpServer } from "@switchyard/contracts";
import { createLatch, type Latch } from "./latch.ts";
import type { ItemTool } from "./thread-item.ts";
import { ThreadUsage } from "./thread-usage.ts";

/** State of a session: process, thread and turn. */
export class CodexState {
  readonly workspacePath: string;
  readonly mcpServers: Readonly<Record<string, AgentMcpServer>>;
  readonly usage: ThreadUsage = new ThreadUsage();
  /** Id of the session's thread. Empty until `codex` reports the id. */
  threadId = "";
  /** Model of the thread. */
  model = "";
  /** Id of the current turn. Empty until `codex` reports the id. */
  turnId = "";
  /** True while a turn is running. */
  isRunning = false;
  /** Tool calls that started in the current turn, by id. */
  readonly tools: Map<string, ItemTool> = new Map();
  /** Number of turns requested from this process. */
  turns = 0;
  /** True if authentication succeeded. */
  signedIn: Latch<boolean> = createLatch();
  /** Latch (one-time event) that is opened when `codex` has reported the start of the thread. */
  threadStarted: Latch<void> = createLatch();
  /** Latch (one-time event) that is opened when the current turn has ended. */
  turnOver: Latch<void> = createLatch();

  constructor(workspacePath: string, mcpServers: Readonly<Record<string, AgentMcpServer>> = {}) {
    this.workspacePath = workspacePath;
    this.mcpServers = mcpServers;
  }

  /** Resets the state for a new process. */
  beginProcess(): void {
    this.turns = 0;
    this.endTurn();
    this.signedIn = createLatch();
    this.threadStarted = createLatch();
  }

  /** Sets the session's thread. Usage totals of another thread are not mixed with those of this thread. */
  beginThread(id: string, { isNew, model }: { readonly isNew: boolean; readonly model: string }): void {
    if (isNew || this.threadId !== id) this.usage.begin({ isNew });
    this.threadId = id;
    this.model = model;
  }

  /** Resets the state for a new turn. */
  beginTurn(): void {
    this.turns += 1;
    this.turnId = "";
    this.isRunning = true;
    this.tools.clear();
    this.turnOver = createLatch();
    this.usage.beginTurn();
  }

  /** Sets the id of the current turn. An empty id, or the id of a finished turn, is ignored. */
  nameTurn(id: string): void {
    if (this.isRunning && id !== "") this.turnId = id;
  }

  /**
   * Returns true if a message belongs to the current turn. Older releases send messages without a turn id (`id` is
   * empty); these count as messages of the current turn.
   */
  isAboutTurn(id: string): boolean {
    return this.isRunning && this.turnId !== "" && (id === "" || id === this.turnId);
  }

  /** Ends the turn. Later messages belong to no turn. */
  endTurn(): void {
    this.turnId = "";
    this.isRunning = false;
    this.turnOver.open();
  }

  /** Returns true if a message belongs to another thread, such as that of a subagent. */
  isForeign(params: JsonObject): boolean {
    const id = params["threadId"];
    return typeof id === "string" && this.threadId !== "" && id !== this.threadId;
  }
}
