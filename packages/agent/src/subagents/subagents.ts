import {
  addUsage,
  EngineError,
  NO_USAGE,
  type SubagentResult,
  type SubagentTask,
  type Usage,
} from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";
import { lastBoundary, storeState } from "../checkpoint/store-state.ts";
import { openFolderEnvironment } from "../folder-environment/folder-environment.ts";
import { MAX_TIMER_MS } from "../session/max-timer-ms.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { ChildSession } from "./child-session.ts";
import { GroupedSaves } from "./grouped-saves.ts";
import type { Lineage } from "./lineage.ts";
import type { SessionSubagents } from "./session-subagents.ts";
import { Subagent, type SubagentParent, type SubagentSpec } from "./subagent.ts";
import type { SubagentHandle } from "./subagent-handle.ts";

/** Options for `Subagents`. */
export interface SubagentsOptions<TSession extends ChildSession> {
  /** Returns the core (internal state) of the session. */
  readonly core: () => SessionCore;
  /** Prefix of subagent ids. */
  readonly name: string;
  /** Creates the session of a subagent. */
  readonly createSession: (subagent: Subagent<TSession>, lineage: Lineage) => TSession;
  /** Connection to the session's parent. `undefined` for a root session. */
  readonly lineage: Lineage | undefined;
  /** Subagents of an earlier process. */
  readonly from: readonly SubagentBoundary[] | undefined;
}

/** Subagents of a session. See loop: subagents, §2.1, §7. */
export class Subagents<TSession extends ChildSession> implements SessionSubagents {
  readonly #options: SubagentsOptions<TSession>;
  /** Created on first use, because most sessions spawn no subagents. */
  #children: Map<string, Subagent<TSession>> | undefined;
  #saves: GroupedSaves | undefined;
  /** Failure of a save that a subagent requested. The parent session must report the failure. */
  #failure: { readonly error: unknown } | undefined;

  /** Creates the registry. Sessions of subagents of an earlier process are created on first use or by `resume`. */
  constructor(options: SubagentsOptions<TSession>) {
    this.#options = options;
    for (const { id, callId, workingDir, model, maxTurns, ...rest } of options.from ?? []) {
      const spec: SubagentSpec = { id, callId, workingDir, model, maxTurns };
      this.#known().set(id, new Subagent(this.#parent(), spec, { ...spec, ...rest }));
    }
  }

  /** All subagents by id, including ended ones. */
  get handles(): ReadonlyMap<string, SubagentHandle<TSession>> {
    return this.#known();
  }

  /** Ids of working subagents. */
  get running(): readonly string[] {
    return this.#list()
      .filter(({ status }) => status === "running")
      .map(({ id }) => id);
  }

  /** Usage of all subagents. */
  get usage(): Usage {
    return this.#list().reduce((sum, { usage }) => addUsage(sum, usage), { ...NO_USAGE });
  }

  /** Whether any subagent is not closed yet. */
  get isActive(): boolean {
    return this.#list().some(({ isClosed }) => !isClosed);
  }

  async spawn(task: SubagentTask, callId: string): Promise<SubagentResult> {
    const known = this.#list().find(({ spec }) => spec.callId === callId);
    if (known !== undefined) return known.result;
    const { depth, config, environment, signal } = this.#core;
    if (depth >= config.maxSubagentDepth) {
      throw new EngineError("subagent.too_deep", { limit: config.maxSubagentDepth });
    }
    this.#assertCapacity();
    if (task.workingDir !== undefined) await openFolderEnvironment(environment, task.workingDir);
    if (signal.aborted) throw new EngineError("llm.aborted", {}, { cause: signal.reason });
    this.#assertCapacity();
    return this.#begin(task, callId);
  }

  sendInput(agentId: string, { message, callId }: { message: string; callId: string }): SubagentResult {
    const child = this.#child(agentId);
    if (!child.hasReceived(callId) && child.status !== "running" && !child.isClosed) this.#assertCapacity();
    child.take(message, callId);
    return child.result;
  }

  async wait(
    agentId: string,
    { timeoutMs, signal }: { timeoutMs?: number | undefined; signal: AbortSignal },
  ): Promise<SubagentResult> {
    const child = this.#child(agentId);
    const over = new AbortController();
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => over.abort(), Math.min(timeoutMs, MAX_TIMER_MS));
    const { activeTimer } = this.#core;
    // The wait does not count as active time of this session, because the subagent's own timer runs.
    activeTimer.pause();
    await child.settled(AbortSignal.any([signal, over.signal]));
    activeTimer.resume();
    clearTimeout(timer);
    if (signal.aborted) throw new EngineError("llm.aborted", {}, { cause: signal.reason });
    return child.result;
  }

  async close(agentId: string): Promise<SubagentResult> {
    const child = this.#child(agentId);
    await child.close();
    return child.result;
  }

  /** Resumes the subagents of an earlier process that were working. */
  resume(): void {
    for (const child of this.#list()) child.resume();
  }

  /** Closes all subagents. Resolves when they are closed. See loop: Appendix B, graceful shutdown step 6. */
  async end(): Promise<void> {
    await Promise.all(this.#list().map((child) => child.close()));
  }

  /** Requests that each working subagent stores its state soon, in addition to the regular times. */
  suggestBoundary(): void {
    for (const child of this.#list()) child.suggestBoundary();
  }

  /**
   * Clears the ids of the tool calls that sent messages to subagents. Calls of a completed round are not executed
   * again.
   */
  clearReceivedInputs(): void {
    for (const child of this.#list()) child.clearReceivedInputs();
  }

  /** Returns the last stored state of each subagent, in the order in which the subagents were spawned. */
  boundaries(): readonly SubagentBoundary[] {
    return this.#list().map((child) => child.boundary);
  }

  /**
   * Stores the state of the root session and all subagents. Rejects if that fails. Concurrent requests share a save.
   * See architecture: decision 22.
   */
  async save(): Promise<void> {
    const { lineage } = this.#options;
    if (lineage !== undefined) return lineage.save();
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    await this.#request();
  }

  async #saveForChild(): Promise<void> {
    const { lineage } = this.#options;
    if (lineage !== undefined) return lineage.save();
    try {
      await this.#request();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  #request(): Promise<void> {
    this.#saves ??= new GroupedSaves(() => this.#handOver());
    return this.#saves.request();
  }

  async #handOver(): Promise<void> {
    const core = this.#core;
    if (core.storedState !== undefined) await core.onBoundary?.(lastBoundary(core, core.storedState));
  }

  #begin({ task, workingDir, model, maxTurns = 0 }: SubagentTask, callId: string): SubagentResult {
    const core = this.#core;
    // The session is executing tool calls. Its state is therefore the same as when it was stored before the calls of
    // this round (`intents`).
    if (core.storedState === undefined) storeState(core, "intents");
    const id = `${this.#options.name}-${this.#list().length + 1}`;
    const child = new Subagent(this.#parent(), { id, callId, workingDir, model, maxTurns });
    this.#known().set(id, child);
    child.begin(task);
    return child.result;
  }

  get #core(): SessionCore {
    return this.#options.core();
  }

  #parent(): SubagentParent<TSession> {
    const { core, createSession } = this.#options;
    return {
      get core() {
        return core();
      },
      createSession,
      save: () => this.#saveForChild(),
    };
  }

  #list(): readonly Subagent<TSession>[] {
    return this.#children === undefined ? [] : [...this.#children.values()];
  }

  #known(): Map<string, Subagent<TSession>> {
    this.#children ??= new Map();
    return this.#children;
  }

  #child(agentId: string): Subagent<TSession> {
    const child = this.#children?.get(agentId);
    if (child !== undefined) return child;
    const known =
      this.#list()
        .map(({ id }) => id)
        .join(", ") || "none";
    throw new EngineError("subagent.unknown", { agentId, known });
  }

  #assertCapacity(): void {
    const limit = this.#core.config.maxSubagents;
    if (this.running.length >= limit) throw new EngineError("subagent.too_many", { limit });
  }
}
