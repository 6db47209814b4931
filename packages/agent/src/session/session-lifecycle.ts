import { EngineError } from "@switchyard/contracts";
import { type CompactionOutcome, compactHistory } from "../compaction/compact-history.ts";
import type { CompactionReport } from "../compaction/compaction-strategy.ts";
import { addMissingResults, openCallsOf } from "../conversation/open-calls.ts";
import type { UserInput } from "../conversation/user-input.ts";
import type { SessionEvents } from "../events/session-event.ts";
import type { InputOutcome } from "../loop/process-input.ts";
import { isWorking } from "./is-working.ts";
import { type PreparedCycle, prepareWork } from "./prepare-work.ts";
import type { SessionCore } from "./session-core.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionAbort } from "./when-aborted.ts";

function ignore(): void {}

/** Options for the lifecycle of a session. */
export interface SessionLifecycleOptions {
  readonly core: SessionCore;
  /** Aborts the session. */
  readonly abort: SessionAbort;
  /** True if the session starts in the middle of an input and waits for `resume`. */
  readonly awaitsResume: boolean;
  /** True if a caller may submit a new input instead of calling `resume`. A new input abandons the unfinished one. */
  readonly mayAbandon: boolean;
  /** Called once, when closing begins. */
  readonly onClose: () => void;
}

/** State transitions of a session: start and end of processing cycles, abort and close. See loop: §2.3, §2.8. */
export class SessionLifecycle {
  readonly #core: SessionCore;
  readonly #options: SessionLifecycleOptions;
  /** Resolves when the session is closed. Created when a caller first waits for it. */
  #ended: Promise<void> | undefined;
  #end: () => void = ignore;
  #cycle: Promise<void> | undefined;
  #awaitsResume: boolean;
  #isClosing = false;
  #failure: EngineError | undefined;

  constructor(options: SessionLifecycleOptions) {
    this.#options = options;
    this.#core = options.core;
    this.#awaitsResume = options.awaitsResume;
  }

  /** Error of the last input. `undefined` if the last input did not fail. */
  get failure(): EngineError | undefined {
    return this.#failure;
  }

  /** Starts a processing cycle and returns its events; see `Session.submit` and `Session.resume`. */
  begin(text: string | UserInput | undefined): SessionEvents {
    const cycle = this.#prepare(text);
    const { events } = this.#core;
    const queue = events.subscribe();
    void this.#start(cycle, () => events.unsubscribe(queue));
    return queue;
  }

  /** Processes one input to its end without an event queue. See `Session.process`. */
  async process(text: string | UserInput | undefined): Promise<void> {
    await this.#start(this.#prepare(text));
  }

  /** Throws `session.closed` if the session is closed. */
  assertOpen(): void {
    if (this.#core.state === "closed") throw new EngineError("session.closed");
  }

  /** See `Session.compact`. */
  async compact(): Promise<CompactionReport | undefined> {
    const core = this.#core;
    if (core.compaction === undefined) {
      throw new EngineError("config.invalid", { field: "compaction", problem: "the session has none" });
    }
    this.assertOpen();
    const { state } = core;
    if (isWorking(core) || this.#awaitsResume || openCallsOf(core.conversation.turns).length > 0) {
      throw new EngineError("session.busy");
    }
    const work = this.#compactNow(state);
    this.#cycle = work.then(ignore, ignore);
    const outcome = await work;
    if (outcome.kind === "failed") throw outcome.error;
    return outcome.kind === "compacted" ? outcome.report : undefined;
  }

  /** Resolves when the session is not processing. */
  async settled(): Promise<void> {
    // Another processing cycle may have been started when the awaited one ended.
    for (let cycle: Promise<void> | undefined; cycle !== this.#cycle; ) {
      cycle = this.#cycle;
      await cycle;
    }
  }

  /** Aborts the session and closes it; resolves when it is closed. */
  abort(reason?: unknown): Promise<void> {
    const { abort } = this.#options;
    if (!abort.signal.aborted) abort.abort(reason);
    if (!isWorking(this.#core)) void this.#close();
    return this.#closed();
  }

  /** Closes the session; resolves when it is closed. */
  close(): Promise<void> {
    return this.#isAborted ? this.abort() : this.abort(new EngineError("session.closed"));
  }

  /** Aborts the session when the host's signal aborts. */
  followSignal(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const onAbort = (): void => void this.abort(signal.reason);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    void this.#closed().then(() => signal.removeEventListener("abort", onAbort));
  }

  get #isAborted(): boolean {
    return this.#options.abort.signal.aborted;
  }

  async #compactNow(state: SessionState): Promise<CompactionOutcome> {
    this.#core.state = "processing";
    try {
      return await compactHistory(this.#core, "asked");
    } finally {
      this.#core.state = state;
      if (this.#isAborted) await this.#close();
    }
  }

  #closed(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      if (this.#core.state === "closed") resolve();
      else this.#end = resolve;
    });
    return this.#ended;
  }

  #prepare(text: string | UserInput | undefined): PreparedCycle {
    const { mayAbandon } = this.#options;
    return prepareWork(this.#core, { text, awaitsResume: this.#awaitsResume, mayAbandon });
  }

  #start(cycle: PreparedCycle, onEnd: () => void = ignore): Promise<void> {
    const core = this.#core;
    core.state = "processing";
    core.activeTimer.start();
    this.#failure = undefined;
    this.#awaitsResume = false;
    this.#cycle = cycle({ finish: (outcome) => this.#finish(outcome), end: onEnd });
    return this.#cycle;
  }

  async #finish(outcome: InputOutcome): Promise<void> {
    switch (outcome.kind) {
      case "completed":
        return this.#settle(this.#core.isQuestion(outcome.answer) ? "input_required" : "completed", outcome.rounds);
      case "limited":
        return this.#settle("turn_limit", outcome.rounds);
      case "aborted":
        return this.#close();
      case "failed":
        return this.#fail(outcome.error, outcome.rounds);
    }
  }

  /**
   * Sets the state back to waiting for input and emits the end of the cycle. See loop: §2.3, PROCESSING_END in §2.9.
   */
  async #settle(outcome: "completed" | "turn_limit" | "input_required", rounds: number): Promise<void> {
    // If the session was aborted after the last step of the input, it must close instead of becoming idle.
    if (this.#isAborted) return this.#close();
    this.#rest(outcome === "input_required" ? "awaiting_input" : "idle");
    this.#core.emit("processing_end", { outcome, rounds });
  }

  /**
   * Leaves the session open after a retryable failure or a context overflow, and closes it after other failures. See
   * loop: Appendix B, session-level errors.
   */
  async #fail(error: EngineError, rounds: number): Promise<void> {
    this.#failure = error;
    addMissingResults(this.#core);
    if (error.code === "llm.context_length") {
      this.#core.emit("warning", { message: error.message, kind: "context_length", details: error.toWire() });
    } else {
      this.#core.emit("error", error.toWire());
    }
    if (error.code !== "llm.context_length" && !error.retryable) return this.#close();
    this.#rest("idle");
    this.#core.emit("processing_end", { outcome: "failed", rounds, error: error.toWire() });
  }

  /**
   * Sets the state after a cycle. Called before the event is emitted, because a subscriber may submit the next input
   * immediately.
   */
  #rest(state: "idle" | "awaiting_input"): void {
    this.#core.activeTimer.stop();
    this.#core.state = state;
  }

  /** Ends background commands, then steps 5 to 8 of the graceful shutdown. See loop: Appendix B. */
  async #close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const core = this.#core;
    this.#options.onClose();
    core.activeTimer.stop();
    addMissingResults(core);
    if (!this.#isAborted) this.#options.abort.abort();
    if (core.background.isActive) await core.background.end();
    if (core.subagents.isActive) await core.subagents.end();
    core.emit("session_end", { session_id: core.id, state: "closed" });
    core.state = "closed";
    core.events.end();
    this.#end();
  }
}
