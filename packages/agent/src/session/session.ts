import type { BackgroundCommand, EngineError, Usage } from "@switchyard/contracts";
import type { CompactionReport } from "../compaction/compaction-strategy.ts";
import type { Turn } from "../conversation/turn.ts";
import type { UserInput } from "../conversation/user-input.ts";
import type { SessionEvents, SessionListener } from "../events/session-event.ts";
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
import type { SessionConfig } from "./session-config.ts";
import type { SessionCore } from "./session-core.ts";
import { SessionLifecycle } from "./session-lifecycle.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionState } from "./session-state.ts";
import { SessionAbort } from "./when-aborted.ts";

function ignore(): void {}

function createSession(options: SessionOptions): Session {
  return new Session(options);
}

/**
 * Conversation with a coding agent, controlled by the host. See loop: Session, §2.1. `submit` starts a processing cycle
 * immediately and returns its events, which need not be read. The session itself never executes or interprets text from
 * a model or a tool.
 */
export class Session implements AsyncDisposable {
  readonly #core: SessionCore;
  readonly #subagents: Subagents<Session>;
  readonly #options: SessionOptions;
  readonly #lifecycle: SessionLifecycle;

  /** Creates an idle session. Nothing is read or requested before the first input. */
  constructor(options: SessionOptions) {
    this.#options = options;
    const abort = new SessionAbort();
    const { core, subagents } = createCore(options, {
      signal: abort.signal,
      announce: () => this.#announce(),
      createSession,
    });
    this.#core = core;
    this.#subagents = subagents;
    lineageOf(options)?.attach(core);
    const onClose = this.#followTools(options);
    const [awaitsResume, mayAbandon] = [startsMidInput(options), options.snapshot !== undefined];
    this.#lifecycle = new SessionLifecycle({ core, abort, awaitsResume, mayAbandon, onClose });
    this.#lifecycle.followSignal(options.signal);
  }

  /**
   * Loads a saved session from untrusted data: same id, turns, usage and queued messages, with the given options. The
   * system prompt is reused unless the profile belongs to another model family. Signatures are only sent to the
   * provider and model that made them. Throws `snapshot.invalid` or `snapshot.newer_format`.
   */
  static load(snapshot: unknown, options: Omit<SessionOptions, "snapshot" | "history" | "resumeFrom">): Session {
    return new Session({ ...options, snapshot: parseSnapshot(snapshot) });
  }

  /** Session id, stable for its lifetime. See loop: §2.1. */
  get id(): string {
    return this.#core.id;
  }

  /** Current state. See loop: §2.3. */
  get state(): SessionState {
    return this.#core.state;
  }

  /** Whether an input is being processed, including while a question waits for a reply. See loop: §2.3. */
  get isWorking(): boolean {
    return isWorking(this.#core);
  }

  /** All turns so far. Grows while the agent works. See loop: §2.4. */
  get history(): readonly Turn[] {
    return this.#core.conversation.turns;
  }

  /** Index of the first turn after the initial history. */
  get firstTurn(): number {
    return this.#core.firstTurn;
  }

  /** Usage of all responses. */
  get usage(): Usage {
    return this.#core.conversation.usage;
  }

  /** Number of model responses so far. */
  get turns(): number {
    return this.#core.conversation.modelTurns;
  }

  /** Limits and settings, which may be changed at any time. The next model call uses them. See loop: §2.2, §2.7. */
  get config(): SessionConfig {
    return this.#core.config;
  }

  /** Tools of the session. Tools can be added, or replaced by name. See loop: §3.7. */
  get toolRegistry(): ToolRegistry {
    return this.#core.registry;
  }

  /** Background commands, running or ended. None of them outlives the session. */
  get backgroundCommands(): readonly BackgroundCommand[] {
    return this.#core.background.list();
  }

  /** Subagents by id, including ended ones. See loop: subagents, §2.1. */
  get subagents(): ReadonlyMap<string, SubagentHandle<Session>> {
    return this.#subagents.handles;
  }

  /** Error of the last input. `undefined` if the last input did not fail. */
  get failure(): EngineError | undefined {
    return this.#lifecycle.failure;
  }

  /**
   * Submits an input or the reply to a question, and starts to process it immediately. Returns the events of this
   * processing cycle, up to `processing_end` or `session_end`. Events are queued until they are read; leaving the
   * iteration drops them and does not stop the work. Throws `session.busy` while an earlier input is processed or waits
   * for `resume`, and `session.closed` if the session is closed.
   */
  submit(text: string | UserInput): SessionEvents {
    return this.#lifecycle.begin(text);
  }

  /**
   * Resumes the input that was being processed when the state `resumeFrom` was stored, and returns its events like
   * `submit`. Tool calls without a result are repeated if their tool allows repetition. For other calls, the model
   * receives `unknown_outcome`. Throws `config.invalid` if there is nothing to resume, and `session.closed` if the
   * session is closed. See architecture: decision 18.
   */
  resume(): SessionEvents {
    return this.#lifecycle.begin(undefined);
  }

  /**
   * Processes an input like `submit`, without queueing events, for callers that use `listen`. Without an input, resumes
   * the interrupted input like `resume`. Resolves when the work has ended, regardless of its outcome. Rejects with the
   * errors that `submit` and `resume` throw. See loop: process_input, §2.5.
   */
  process(text?: string | UserInput): Promise<void> {
    return this.#lifecycle.process(text);
  }

  /** Returns all events of the session from now on, over all inputs. See loop: §2.9. */
  events(): SessionEvents {
    return this.#core.events.subscribe();
  }

  /**
   * Calls a function synchronously with every event from now on; the session continues when the function returns.
   * Returns a function that ends the subscription. Much cheaper than iterating. See loop: §2.9.
   */
  listen(listener: SessionListener): () => void {
    return this.#core.events.listen(listener);
  }

  /**
   * Requests that the session state is stored as soon as possible, in addition to the regular checkpoint boundaries
   * (twice per tool round). See engine: CheckpointSuggester.
   */
  suggestBoundary(): void {
    this.#core.isBoundarySuggested = true;
    this.#core.subagents.suggestBoundary();
  }

  /** Queues a message that is injected after the current tool round, or with the next input. See loop: §2.6. */
  steer(text: string): void {
    this.#lifecycle.assertOpen();
    this.#core.steering.push(text);
    this.#core.storedState?.steering.push(text);
  }

  /** Queues a message that is processed after the current input. See loop: §2.6. */
  followUp(text: string): void {
    this.#lifecycle.assertOpen();
    this.#core.followUps.push(text);
    this.#core.storedState?.followUps.push(text);
  }

  /**
   * Compacts the conversation now, whether or not it is due. Resolves with `undefined` if a compaction is not
   * worthwhile. If the compaction fails, the conversation is unchanged. Rejects with the failure, with `config.invalid`
   * if the option `compaction` is not set, and with `session.busy` while an input is processed. See loop: §8
   * compaction.
   */
  compact(): Promise<CompactionReport | undefined> {
    return this.#lifecycle.compact();
  }

  /**
   * Returns the session as plain data, even while it works: a response in progress is not included, and running calls
   * have no result.
   */
  save(): SessionSnapshot {
    return takeSnapshot(this.#core);
  }

  /**
   * Creates a session that continues from a turn of this one. The new session has its own id, turn count and usage.
   * Options that are not given are the same as in this session. If a call is included but its result is not, the model
   * receives `unknown_outcome` for it. This session is not affected. Throws `config.invalid` if there is no such turn.
   * See architecture: decision 11.
   */
  fork(options: ForkOptions = {}): Session {
    return new Session(forkOptions(this.#core, this.#options, options));
  }

  /** Resolves when the session is not processing: idle, waiting for input or closed. */
  settled(): Promise<void> {
    return this.#lifecycle.settled();
  }

  /**
   * Stops everything: closes the model stream, ends running commands, adds a result for every open tool call, and
   * closes the session. Resolves when it is closed. See loop: §2.8, Appendix B graceful shutdown.
   */
  abort(reason?: unknown): Promise<void> {
    return this.#lifecycle.abort(reason);
  }

  /** Closes the session, aborting it if it is working. Resolves when it is closed. See loop: §2.3. */
  close(): Promise<void> {
    return this.#lifecycle.close();
  }

  /** Same as `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Keeps the registry in sync with a tool source. Emits the source's notices once the session has started. */
  #followTools({ toolSource, allowedTools }: SessionOptions): () => void {
    if (toolSource === undefined) return ignore;
    const onNotices = (): void => {
      if (!this.#core.events.hasStarted) return;
      for (const notice of noticesOf(toolSource)) this.#core.events.emit("warning", notice);
    };
    return followToolSource(toolSource, { registry: this.#core.registry, allowedTools, onNotices });
  }

  /** Emits SESSION_START before any other event. See loop: §2.9. */
  #announce(): void {
    const { id, profile, config, events } = this.#core;
    events.emit("session_start", { session_id: id, model: `${profile.provider}/${config.model ?? profile.model}` });
    const { notices = [], toolSource } = this.#options;
    for (const notice of [...notices, ...noticesOf(toolSource)]) events.emit("warning", notice);
  }
}
