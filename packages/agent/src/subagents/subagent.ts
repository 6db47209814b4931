import {
  addUsage,
  EngineError,
  NO_USAGE,
  type SubagentResult,
  type SubagentStatus,
  type Usage,
} from "@switchyard/contracts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";
import { boundaryAt, storeState } from "../checkpoint/store-state.ts";
import { usageOfTurn } from "../conversation/conversation.ts";
import type { Turn } from "../conversation/turn.ts";
import { discardEvents } from "../events/discard-events.ts";
import type { SessionEvent, SessionEventOf } from "../events/session-event.ts";
import { finalText } from "../finish/final-text.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { ChildSession } from "./child-session.ts";
import type { Lineage } from "./lineage.ts";
import type { SubagentHandle } from "./subagent-handle.ts";

/** Parameters with which a subagent was spawned. */
export type SubagentSpec = Pick<SubagentBoundary, "id" | "callId" | "workingDir" | "model" | "maxTurns">;

/** Functions that a subagent needs from its parent. */
export interface SubagentParent<TSession extends ChildSession> {
  readonly core: SessionCore;
  /** Creates the session of a subagent. */
  readonly createSession: (subagent: Subagent<TSession>, lineage: Lineage) => TSession;
  /** Stores the state of the root session and all subagents. */
  readonly save: () => Promise<void>;
}

/** Progress of a subagent. */
interface SubagentProgress {
  readonly status: SubagentStatus;
  readonly isClosed: boolean;
  readonly problem?: string | undefined;
}

const RUNNING: SubagentProgress = { status: "running", isClosed: false };

/** Returns the usage of a stored session, including the usage of its subagents. */
function usageAt({ turns, progress, children = [] }: SubagentBoundary["boundary"]): Usage {
  const usages = turns.slice(progress.firstTurn).map((turn) => usageOfTurn(turn) ?? NO_USAGE);
  return [...usages, progress.unrecordedUsage ?? NO_USAGE, ...children.map(({ boundary }) => usageAt(boundary))].reduce(
    addUsage,
    { ...NO_USAGE },
  );
}

function problemOf({ outcome, error }: SessionEventOf<"processing_end">["data"]): string | undefined {
  if (outcome === "completed" || outcome === "input_required") return undefined;
  if (outcome === "turn_limit") return "a limit on its turns or tool rounds was reached";
  return error?.message ?? `it ended ${outcome}`;
}

/** Returns whether, according to a stored state, a subagent or one of its descendants was working. */
function wasWorking({ status, isClosed, boundary }: SubagentBoundary): boolean {
  return status === "running" || (!isClosed && (boundary.children ?? []).some(wasWorking));
}

/** Subagent of a session, with its session and progress. See loop: SubAgentHandle, §7.3. */
export class Subagent<TSession extends ChildSession> implements SubagentHandle<TSession> {
  readonly spec: SubagentSpec;
  readonly #parent: SubagentParent<TSession>;
  #standing: SubagentProgress = RUNNING;
  /** Progress of the subagent when its state was last stored. */
  #stored: SubagentProgress = RUNNING;
  #inputs: string[];
  /** Stored state to resume from. `undefined` for a new subagent. */
  #from: SubagentBoundary | undefined;
  /** Usage up to the stored state in `#from`, cached because every tool round may read it. */
  #usedBefore: Usage | undefined;
  #session: TSession | undefined;
  #core: SessionCore | undefined;
  #awaitsResume: boolean;
  /** Whether the subagent is being closed and accepts no more input. */
  #isClosing = false;
  /** Emits the event `subagent_started`. `undefined` once emitted. */
  #announce: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();

  /** Creates a new or resumed subagent. Its session is created on first use. */
  constructor(parent: SubagentParent<TSession>, spec: SubagentSpec, from?: SubagentBoundary) {
    this.#parent = parent;
    this.spec = spec;
    this.#from = from;
    this.#inputs = [...(from?.inputs ?? [])];
    this.#awaitsResume = from !== undefined && wasWorking(from);
    if (from === undefined) return;
    const { status, isClosed, problem } = from;
    this.#standing = { status, isClosed, problem };
    this.#stored = this.#standing;
  }

  get id(): string {
    return this.spec.id;
  }

  get status(): SubagentStatus {
    return this.#standing.status;
  }

  get isClosed(): boolean {
    return this.#standing.isClosed;
  }

  /** Stored state from which the subagent's session resumes when it is created. `undefined` for a new subagent. */
  get resumesFrom(): SubagentBoundary | undefined {
    return this.#from;
  }

  get session(): TSession {
    this.#session ??= this.#parent.createSession(this, this.#lineage());
    return this.#session;
  }

  get usage(): Usage {
    if (this.#core !== undefined) return addUsage(this.#core.conversation.usage, this.#core.subagents.usage);
    if (this.#from !== undefined) this.#usedBefore ??= usageAt(this.#from.boundary);
    return this.#usedBefore ?? { ...NO_USAGE };
  }

  get result(): SubagentResult {
    const { status, problem } = this.#standing;
    const result = {
      agent_id: this.id,
      status,
      output: finalText(this.#turns),
      success: status === "completed",
      turns_used: this.#turns.filter(({ type }) => type === "assistant").length,
    };
    return problem === undefined ? result : { ...result, problem };
  }

  /** Starts the task. Before the first event of the subagent, the parent emits the event `subagent_started`. */
  begin(task: string): void {
    this.#announce = () => {
      // From now on, the stored state of the root session includes the subagent and its task.
      this.#store("suggested");
      this.#parent.core.emit("subagent_started", { agent_id: this.id, content: task, status: "running" });
    };
    this.work(task);
  }

  /** Starts to process an input. Throws `subagent.closed`. */
  work(input: string): void {
    const { session } = this;
    if (session.state === "closed" || this.isClosed) throw new EngineError("subagent.closed", { agentId: this.id });
    discardEvents(session.submit(input));
    this.#stands(RUNNING);
    this.#store("suggested");
  }

  /** Passes a message from the parent to the subagent, once per call. Throws `subagent.closed`. */
  take(message: string, callId: string): void {
    if (this.#inputs.includes(callId)) return;
    if (this.isClosed || this.#isClosing) throw new EngineError("subagent.closed", { agentId: this.id });
    if (this.status === "running") this.session.steer(message);
    else this.work(message);
    this.#inputs.push(callId);
  }

  /** Returns whether the parent's tool call with this id has already sent this subagent a message. */
  hasReceived(callId: string): boolean {
    return this.#inputs.includes(callId);
  }

  /**
   * Clears the ids of the parent's tool calls that sent this subagent a message. Calls of a completed round are not
   * executed again.
   */
  clearReceivedInputs(): void {
    this.#inputs = [];
  }

  /** Resumes the work of an earlier process. Has no effect the second time. */
  resume(): void {
    if (!this.#awaitsResume) return;
    this.#awaitsResume = false;
    const { session } = this;
    if (this.status === "running") discardEvents(session.resume());
    else this.#core?.subagents.resume();
  }

  /** Resolves when the subagent is not working, or when the signal aborts. */
  settled(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      if (this.status !== "running" || signal.aborted) return resolve();
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  /** Requests that the subagent, if it is working, stores its state soon, in addition to the regular times. */
  suggestBoundary(): void {
    if (this.#session?.state === "processing") this.#session.suggestBoundary();
  }

  /** Closes the subagent permanently. Resolves when its session is closed. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#session?.close();
    if (this.isClosed) return;
    // If the subagent has no session yet, its work is ended here.
    if (this.status === "running") this.#end("failed", "it was closed");
    this.#stands({ ...this.#standing, isClosed: true });
    this.#store("settled");
  }

  /** Last stored state of the subagent. */
  get boundary(): SubagentBoundary {
    const stored = this.#core?.storedState;
    if (this.#core === undefined || stored === undefined) {
      return { ...this.spec, ...this.#stored, inputs: [...this.#inputs], boundary: this.#unopened() };
    }
    return { ...this.spec, ...this.#stored, inputs: [...this.#inputs], boundary: boundaryAt(this.#core, stored) };
  }

  #unopened(): SubagentBoundary["boundary"] {
    if (this.#from === undefined)
      throw new EngineError("internal.unexpected", { problem: "a subagent has no stored state" });
    const { boundary } = this.#from;
    return this.#stored.status === "running" ? boundary : { ...boundary, kind: "settled" };
  }

  get #turns(): readonly Turn[] {
    return this.#core?.conversation.turns ?? this.#from?.boundary.turns ?? [];
  }

  #lineage(): Lineage {
    return {
      agentId: this.id,
      depth: this.#parent.core.depth + 1,
      root: () => this.#parent.core.root(),
      attach: (core) => {
        this.#core = core;
      },
      relay: (event) => this.#relay(event),
      save: this.#parent.save,
    };
  }

  #relay(event: SessionEvent): void {
    const isOwnEvent = event.agentId === undefined;
    if (this.#announce !== undefined) this.#announceOnce(this.#announce);
    this.#parent.core.events.deliver(isOwnEvent ? { ...event, agentId: this.id } : event);
    if (!isOwnEvent) return;
    if (event.type === "processing_end") {
      const problem = problemOf(event.data);
      this.#end(problem === undefined ? "completed" : "failed", problem);
    }
    if (event.type === "session_end") this.#closed();
  }

  #announceOnce(announce: () => void): void {
    this.#announce = undefined;
    announce();
  }

  #closed(): void {
    if (this.status === "running") {
      const problem = this.#session?.failure?.message ?? "it was closed";
      this.#end("failed", problem);
    }
    this.#stands({ ...this.#standing, isClosed: true });
    this.#store("settled");
  }

  #end(status: "completed" | "failed", problem: string | undefined): void {
    if (this.status !== "running") return;
    this.#stands({ status, isClosed: false, ...(problem === undefined ? {} : { problem }) });
    this.#store("settled");
    const content = finalText(this.#turns) || (problem ?? "");
    this.#parent.core.emit("subagent_ended", { agent_id: this.id, content, status });
    for (const done of [...this.#waiting]) done();
  }

  #stands(standing: SubagentProgress): void {
    this.#standing = standing;
  }

  /**
   * Remembers the subagent's current state as its stored state, unless the parent is being stopped. In that case, its
   * subagents stop too, and resume together with the parent.
   */
  #store(kind: "suggested" | "settled"): void {
    if (this.#parent.core.signal.aborted) return;
    this.#stored = this.#standing;
    if (this.#core !== undefined) storeState(this.#core, kind);
  }
}
