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
 * A conversation with a coding agent that the host controls at every step. loop: Session, §2.1.
 *
 * `submit` starts a processing cycle at once and returns its events; reading them is optional. Nothing a model or a
 * tool says is ever executed or interpreted by the session itself.
 */
export class Session implements AsyncDisposable {
  readonly #core: SessionCore;
  readonly #subagents: Subagents<Session>;
  readonly #options: SessionOptions;
  readonly #lifecycle: SessionLifecycle;

  /** Makes an idle session; nothing is read or asked before the first input. */
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
    return this.#lifecycle.failure;
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
    return this.#lifecycle.begin(text);
  }

  /**
   * Goes on with the input that was being worked on at the boundary of `resumeFrom`, as if there had been no break,
   * and returns its events like `submit`. Calls without a result are made again where their tool says that this does
   * no harm; of all others the model is told `unknown_outcome`. Throws `config.invalid` when there is nothing to go on
   * from, `session.closed` after the end. architecture: decision 18.
   */
  resume(): SessionEvents {
    return this.#lifecycle.begin(undefined);
  }

  /**
   * Works on an input like `submit`, or goes on like `resume` where there is none, for somebody who hears of it by
   * `listen`: no events are kept. Resolves when the work is done, whatever came of it; rejects with what `submit` and
   * `resume` throw. loop: process_input, §2.5.
   */
  process(text?: string | UserInput): Promise<void> {
    return this.#lifecycle.process(text);
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
    this.#lifecycle.assertOpen();
    this.#core.steering.push(text);
    this.#core.storedState?.steering.push(text);
  }

  /** Queues a message that is worked on when the current input is done. loop: §2.6. */
  followUp(text: string): void {
    this.#lifecycle.assertOpen();
    this.#core.followUps.push(text);
    this.#core.storedState?.followUps.push(text);
  }

  /**
   * Has the conversation summarised now, whether or not it is time; nothing where there is nothing worth it. Rejects
   * with what it failed with, which changes nothing, with `config.invalid` without the option `compaction`, and with
   * `session.busy` while an input is being worked on. loop: §8 compaction.
   */
  compact(): Promise<CompactionReport | undefined> {
    return this.#lifecycle.compact();
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
  settled(): Promise<void> {
    return this.#lifecycle.settled();
  }

  /**
   * Stops everything: closes the model stream, ends running commands, gives every open tool call a result, and
   * closes the session. Resolves when it is closed. loop: §2.8, Appendix B graceful shutdown.
   */
  abort(reason?: unknown): Promise<void> {
    return this.#lifecycle.abort(reason);
  }

  /** Closes an idle session; one that is working is aborted. Resolves when it is closed. loop: §2.3. */
  close(): Promise<void> {
    return this.#lifecycle.close();
  }

  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
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
}
