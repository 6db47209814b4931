import type { BackgroundCommand } from "@switchyard/contracts";
import { EngineError, type Usage } from "@switchyard/contracts";
import { type CompactionOutcome, compactHistory } from "../compaction/compact-history.ts";
import type { CompactionReport } from "../compaction/compaction-strategy.ts";
import { addMissingResults, openCallsOf } from "../conversation/open-calls.ts";
import type { Turn } from "../conversation/turn.ts";
import type { UserInput } from "../conversation/user-input.ts";
import type { SessionEvents, SessionListener } from "../events/session-event.ts";
import type { InputOutcome } from "../loop/process-input.ts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";
import { type ForkOptions, forkOptions } from "../snapshot/fork-snapshot.ts";
import { parseSnapshot } from "../snapshot/parse-snapshot.ts";
import type { SessionSnapshot } from "../snapshot/session-snapshot.ts";
import { takeSnapshot } from "../snapshot/take-snapshot.ts";
import { lineageOf } from "../subagents/lineage.ts";
import type { SubagentHandle } from "../subagents/subagent-handle.ts";
import type { Subagents } from "../subagents/subagents.ts";
import { createCore, startsMidInput } from "./create-core.ts";
import { followToolSource, noticesOf } from "./follow-tool-source.ts";
import { isWorking } from "./is-working.ts";
import { type PreparedCycle, prepareWork } from "./prepare-work.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionCore } from "./session-core.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionState } from "./session-state.ts";
import { SessionAbort } from "./when-aborted.ts";

function ignore(): void {}

function createSession(options: SessionOptions): Session {
  return new Session(options);
}

/**
 * A conversation with a coding agent that the host controls at every step. loop: Session, §2.1.
 *
 * `submit` starts a processing cycle at once and returns its events; reading them is optional. Nothing a model or a
 * tool says is ever executed or interpreted by the session itself.
 */
export class Session implements AsyncDisposable {
  readonly #core: SessionCore;
  readonly #subagents: Subagents<Session>;
  readonly #options: SessionOptions;
  readonly #abort = new SessionAbort();
  readonly #unfollow: () => void;
  /** Once somebody waits for it. */
  #ended: Promise<void> | undefined;
  #end: () => void = ignore;
  #cycle: Promise<void> | undefined;
  #awaitsResume: boolean;
  #isClosing = false;
  #failure: EngineError | undefined;

  /** Makes an idle session; nothing is read or asked before the first input. */
  constructor(options: SessionOptions) {
    this.#options = options;
    this.#awaitsResume = startsMidInput(options);
    const { core, subagents } = createCore(options, {
      signal: this.#abort.signal,
      announce: () => this.#announce(),
      createSession,
    });
    this.#core = core;
    this.#subagents = subagents;
    lineageOf(options)?.attach(this.#core);
    this.#unfollow = this.#followTools(options);
    this.#followSignal(options.signal);
  }

  /**
   * A session that was saved, whatever it came from: same id, turns, usage and waiting messages, with the options
   * given here. The system prompt stays as it was unless the profile is of another model family; signatures of another
   * provider or model stay behind, since each message names its maker and the client sends none to anybody else.
   * Throws `snapshot.invalid` or `snapshot.newer_format`.
   */
  static load(snapshot: unknown, options: Omit<SessionOptions, "snapshot" | "history" | "resumeFrom">): Session {
    return new Session({ ...options, snapshot: parseSnapshot(snapshot) });
  }

  /** Stable for the session's life. loop: §2.1. */
  get id(): string {
    return this.#core.id;
  }

  /** Where the session is in its life. loop: §2.3. */
  get state(): SessionState {
    return this.#core.state;
  }

  /** Whether an input is being worked on, also while a question of the agent waits for its answer. loop: §2.3. */
  get isWorking(): boolean {
    return isWorking(this.#core);
  }

  /** Every turn so far; grows while the agent works. loop: §2.4. */
  get history(): readonly Turn[] {
    return this.#core.conversation.turns;
  }

  /** Index of the first turn that is not history the session began with. */
  get firstTurn(): number {
    return this.#core.firstTurn;
  }

  /** Tokens of all answers together. */
  get usage(): Usage {
    return this.#core.conversation.usage;
  }

  /** Answers of the model so far. */
  get turns(): number {
    return this.#core.conversation.modelTurns;
  }

  /** Limits and settings; change them whenever you like, the next model call uses them. loop: §2.2, §2.7. */
  get config(): SessionConfig {
    return this.#core.config;
  }

  /** The session's tools; register more, or replace them by name. loop: §3.7. */
  get toolRegistry(): ToolRegistry {
    return this.#core.registry;
  }

  /** The commands that run beside the conversation, or did; none of them outlives the session. */
  get backgroundCommands(): readonly BackgroundCommand[] {
    return this.#core.background.list();
  }

  /** Its children by id, also those that are done. loop: subagents, §2.1. */
  get subagents(): ReadonlyMap<string, SubagentHandle<Session>> {
    return this.#subagents.handles;
  }

  /** What the last input failed with, if it did. */
  get failure(): EngineError | undefined {
    return this.#failure;
  }

  /**
   * Submits an input, or the answer to a question, and starts working on it at once.
   *
   * The returned events are those of this processing cycle: from the input to `processing_end`, or to `session_end`
   * when the session closes. They wait until they are read; leaving the iteration neither stops the work nor keeps
   * them. Throws `session.busy` while an earlier input is being worked on or waits for `resume`, `session.closed`
   * after the end.
   */
  submit(text: string | UserInput): SessionEvents {
    return this.#begin(text);
  }

  /**
   * Goes on with the input that was being worked on at the boundary of `resumeFrom`, as if there had been no break,
   * and returns its events like `submit`. Calls without a result are made again where their tool says that this does
   * no harm; of all others the model is told `unknown_outcome`. Throws `config.invalid` when there is nothing to go on
   * from, `session.closed` after the end. architecture: decision 18.
   */
  resume(): SessionEvents {
    return this.#begin(undefined);
  }

  /**
   * Works on an input like `submit`, or goes on like `resume` where there is none, for somebody who hears of it by
   * `listen`: no events are kept. Resolves when the work is done, whatever came of it; rejects with what `submit` and
   * `resume` throw. loop: process_input, §2.5.
   */
  process(text?: string | UserInput): Promise<void> {
    return new Promise((resolve) => resolve(this.#start(this.#prepare(text))));
  }

  /** Every event of the session from now on, over all inputs, to its end. loop: §2.9. */
  events(): SessionEvents {
    return this.#core.events.subscribe();
  }

  /**
   * Calls back with every event of the session from now on, while it happens, until the returned function is called:
   * the session goes on when the listener returns. Costs a fraction of what an iteration does. loop: §2.9.
   */
  listen(listener: SessionListener): () => void {
    return this.#core.events.listen(listener);
  }

  /** Asks for a boundary at the next moment that is safe, also where none is due. engine: CheckpointSuggester. */
  suggestBoundary(): void {
    this.#core.isBoundarySuggested = true;
    this.#core.subagents.suggestBoundary();
  }

  /** Queues a message that is injected after the current tool round, or with the next input. loop: §2.6. */
  steer(text: string): void {
    this.#assertOpen();
    this.#core.steering.push(text);
    this.#core.storedState?.steering.push(text);
  }

  /** Queues a message that is worked on when the current input is done. loop: §2.6. */
  followUp(text: string): void {
    this.#assertOpen();
    this.#core.followUps.push(text);
    this.#core.storedState?.followUps.push(text);
  }

  /**
   * Has the conversation summarised now, whether or not it is time; nothing where there is nothing worth it. Rejects
   * with what it failed with, which changes nothing, with `config.invalid` without the option `compaction`, and with
   * `session.busy` while an input is being worked on. loop: §8 compaction.
   */
  async compact(): Promise<CompactionReport | undefined> {
    const core = this.#core;
    if (core.compaction === undefined) {
      throw new EngineError("config.invalid", { field: "compaction", problem: "the session has none" });
    }
    this.#assertOpen();
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

  /**
   * The whole session as plain data, also while it works: an answer that is on its way is not in it, and calls that
   * are running have no result yet.
   */
  save(): SessionSnapshot {
    return takeSnapshot(this.#core);
  }

  /**
   * A session of its own that goes on from a turn of this one: same options but for what is given here, its own id,
   * its own count of turns and tokens. Calls whose results are cut off are told to the model as `unknown_outcome`.
   * This session does not notice. Throws `config.invalid` where there is no such turn. architecture: decision 11.
   */
  fork(options: ForkOptions = {}): Session {
    return new Session(forkOptions(this.#core, this.#options, options));
  }

  /** Resolves when the session is not processing: idle, waiting for input or closed. */
  async settled(): Promise<void> {
    // Whoever heard of the end of a cycle may have begun the next.
    for (let cycle: Promise<void> | undefined; cycle !== this.#cycle; ) {
      cycle = this.#cycle;
      await cycle;
    }
  }

  /**
   * Stops everything: closes the model stream, ends running commands, gives every open tool call a result, and
   * closes the session. Resolves when it is closed. loop: §2.8, Appendix B graceful shutdown.
   */
  abort(reason?: unknown): Promise<void> {
    if (!this.#abort.signal.aborted) this.#abort.abort(reason);
    if (!isWorking(this.#core)) void this.#close();
    return this.#closed();
  }

  /** Closes an idle session; one that is working is aborted. Resolves when it is closed. loop: §2.3. */
  close(): Promise<void> {
    // Only where it is told to anybody: an error costs more than all the rest of it.
    return this.#abort.signal.aborted ? this.abort() : this.abort(new EngineError("session.closed"));
  }

  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #compactNow(state: SessionState): Promise<CompactionOutcome> {
    this.#core.state = "processing";
    try {
      return await compactHistory(this.#core, "asked");
    } finally {
      this.#core.state = state;
      if (this.#abort.signal.aborted) await this.#close();
    }
  }

  #closed(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      if (this.#core.state === "closed") resolve();
      else this.#end = resolve;
    });
    return this.#ended;
  }

  #assertOpen(): void {
    if (this.#core.state === "closed") throw new EngineError("session.closed");
  }

  #followSignal(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const onAbort = (): void => void this.abort(signal.reason);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    void this.#closed().then(() => signal.removeEventListener("abort", onAbort));
  }

  /** The tools of a source as they come and go, and what it has to say about them once the session has started. */
  #followTools({ toolSource, allowedTools }: SessionOptions): () => void {
    if (toolSource === undefined) return ignore;
    const onNotices = (): void => {
      if (!this.#core.events.hasStarted) return;
      for (const notice of noticesOf(toolSource)) this.#core.events.emit("warning", notice);
    };
    return followToolSource(toolSource, { registry: this.#core.registry, allowedTools, onNotices });
  }

  /** SESSION_START comes before any other event, however the session begins. loop: §2.9. */
  #announce(): void {
    const { id, profile, config, events } = this.#core;
    events.emit("session_start", { session_id: id, model: `${profile.provider}/${config.model ?? profile.model}` });
    const { notices = [], toolSource } = this.#options;
    for (const notice of [...notices, ...noticesOf(toolSource)]) events.emit("warning", notice);
  }

  #begin(text: string | UserInput | undefined): SessionEvents {
    const begin = this.#prepare(text);
    const { events } = this.#core;
    const queue = events.subscribe();
    void this.#start(begin, () => events.unsubscribe(queue));
    return queue;
  }

  #prepare(text: string | UserInput | undefined): PreparedCycle {
    // A boundary is there to be gone on from; what was saved may be left where it was.
    const mayAbandon = this.#options.snapshot !== undefined;
    return prepareWork(this.#core, { text, awaitsResume: this.#awaitsResume, mayAbandon });
  }

  #start(begin: PreparedCycle, onEnd: () => void = ignore): Promise<void> {
    const core = this.#core;
    core.state = "processing";
    core.activeTimer.start();
    this.#failure = undefined;
    this.#awaitsResume = false;
    this.#cycle = begin({ finish: (outcome) => this.#finish(outcome), end: onEnd });
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

  /** Back to waiting for the user. loop: §2.3, PROCESSING_END in §2.9. */
  async #settle(outcome: "completed" | "turn_limit" | "input_required", rounds: number): Promise<void> {
    // An abort that came after the last step must not find the session idle.
    if (this.#abort.signal.aborted) return this.#close();
    this.#rest(outcome === "input_required" ? "awaiting_input" : "idle");
    this.#core.emit("processing_end", { outcome, rounds });
  }

  /** Goes on after what the user can do something about, closes after anything else. loop: Appendix B, session-level errors. */
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

  /** Before it is told: whoever hears of it may submit the next input at once. */
  #rest(state: "idle" | "awaiting_input"): void {
    this.#core.activeTimer.stop();
    this.#core.state = state;
  }

  /** Ends what runs in the background, then steps 5 to 8 of the graceful shutdown. loop: Appendix B. */
  async #close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#unfollow();
    this.#core.activeTimer.stop();
    addMissingResults(this.#core);
    if (!this.#abort.signal.aborted) this.#abort.abort();
    if (this.#core.background.isActive) await this.#core.background.end();
    if (this.#core.subagents.isActive) await this.#core.subagents.end();
    this.#core.emit("session_end", { session_id: this.#core.id, state: "closed" });
    this.#core.state = "closed";
    this.#core.events.end();
    this.#end();
  }
}
