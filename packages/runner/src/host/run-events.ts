import {
  EngineError,
  type Envelope,
  EVENT_TABLE,
  type EventPayloads,
  type EventType,
  HEADER,
  type ModelFallback,
  messageOf,
  type Publisher,
  type RunStatus,
  type UsagePayload,
} from "@switchyard/contracts";
import { createEnvelope, subjectOf } from "@switchyard/engine";
import type { Masker } from "@switchyard/secrets";
import { isRecord } from "../input/is-record.ts";
import { createDeltaMasker, type DeltaMasker, isTextDelta } from "./delta-masker.ts";
import { type EventJournal, InvalidEvent } from "./event-journal.ts";
import { isEnvelope } from "./is-envelope.ts";
import { modelFallbackIn } from "./model-fallback-in.ts";

const MAX_SUBJECT_BYTES = 1024;
/**
 * Length of a subject, in UTF-16 units, up to which its size in bytes need not be checked. A unit has at most three
 * bytes in UTF-8.
 */
const SURELY_SHORT = MAX_SUBJECT_BYTES / 3;
/**
 * Matches the part of a subject after its prefix: non-empty segments without wildcards and blanks, separated by dots.
 */
const SEGMENTS = /^[^.*>\s]+(?:\.[^.*>\s]+)*$/u;
/** Maximum number of distinct warnings about one engine. See durability promise D13. */
const MAX_WARNINGS = 100;
/** Maximum number of model fallbacks in the report of one attempt. Further ones are left out. */
const MAX_MODEL_FALLBACKS = 100;
/** Maximum length of an engine's error message in a warning, in characters. A longer message is cut. */
const MAX_PROBLEM_CHARACTERS = 1_000;

/** Options of {@link createRunEvents}. */
export interface RunEventsOptions {
  /** Id of the run. */
  runId: string;
  /** Returns the number of the current attempt (one execution of the run), starting at 1. */
  attempt: () => number;
  /** Whether the attempt resumes from a checkpoint. */
  isResumed?: boolean | undefined;
  /** Stores events. */
  journal: EventJournal;
  /** Masks secrets. */
  masker: Masker;
  /** Wall clock, in milliseconds since 1970. */
  now: () => number;
  /** Creates ids of events. */
  createId: () => string;
  /** Called with the token usage that an event contains. */
  onUsage?: ((usage: UsagePayload) => void) | undefined;
}

/**
 * Events of one run, from the engine and the runner. Contract: the events of an attempt begin with one `run_start`, end
 * with one `run_end`, and contain no known secret and no data of other runs, whatever the engine publishes.
 */
export interface RunEvents extends Publisher {
  /** Publishes an event of the runner. Rejects with `run.store_failed`. */
  report<T extends EventType>(type: T, payload: EventPayloads[T]): Promise<void>;
  /** Publishes a warning and adds it to the list `warnings`, even if the warning cannot be stored. */
  warn(kind: string, message: string, details?: unknown): Promise<void>;
  /**
   * Publishes a warning, unless it is a duplicate or the maximum number of warnings is reached. This prevents an engine
   * from filling the log with warnings.
   */
  warnOnce(kind: string, message: string): Promise<void>;
  /** Warnings that the runner has published so far. */
  readonly warnings: readonly string[];
  /** Model that the engine reported at the start of its session. `undefined` if the engine reported no model. */
  readonly model: string | undefined;
  /** How often the run has switched to a fallback model so far. */
  readonly modelFallbacks: readonly ModelFallback[];
  /** Whether events of the engine are rejected. */
  readonly isClosed: boolean;
  /** Rejects all events that the engine publishes later. */
  closeForEngine(): void;
  /** Publishes the last two events: final status and `run_end`. Rejects with `run.store_failed`. */
  end(status: RunStatus, end: EventPayloads["run_end"]): Promise<void>;
}

/** Creates the object that publishes the events of one run. */
export function createRunEvents(options: RunEventsOptions): RunEvents {
  return new SessionEvents(options);
}

class SessionEvents implements RunEvents {
  readonly #options: RunEventsOptions;
  readonly #deltas: DeltaMasker;
  readonly #warnings: string[] = [];
  readonly #noted = new Set<string>();
  #started = false;
  #closed = false;
  #model: string | undefined;
  readonly #modelFallbacks: ModelFallback[] = [];
  /**
   * Subject (routing key) that was last found to belong to this run. Caches the result of the check, because
   * consecutive events often have the same subject.
   */
  #subject: string | undefined;

  constructor(options: RunEventsOptions) {
    this.#options = options;
    this.#deltas = createDeltaMasker(options.masker);
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  get model(): string | undefined {
    return this.#model;
  }

  get modelFallbacks(): readonly ModelFallback[] {
    return this.#modelFallbacks;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  closeForEngine(): void {
    this.#closed = true;
  }

  async publish(envelope: Envelope): Promise<void> {
    const { runId } = this.#options;
    if (this.#closed) throw new EngineError("run.finished", { runId });
    try {
      await this.#take(envelope);
    } catch (error) {
      if (EngineError.is(error)) throw error;
      // The event comes from the engine, so reading its properties may throw.
      const problem = messageOf(error).slice(0, MAX_PROBLEM_CHARACTERS);
      await this.warnOnce("event_refused", `The engine published an event that cannot be read: ${problem}.`);
    }
  }

  async #take(envelope: Envelope): Promise<void> {
    if (!isEnvelope(envelope)) {
      await this.warnOnce("event_refused", "The engine published an event that is not in the event table.");
      return;
    }
    if (isRunnersOwn(envelope.type)) {
      await this.warnOnce("event_refused", `The engine published ${envelope.type}, which only the runner may.`);
      return;
    }
    // The runner publishes `run_end` itself, after artifacts and diff.
    if (envelope.type === "run_end") return;
    if (envelope.type === "run_start" && this.#started) return;
    if (this.#started) return this.#storeOfEngine(envelope);
    const started = envelope.type === "run_start" ? undefined : this.#start();
    this.#started = true;
    await Promise.all([started, this.#storeOfEngine(envelope)]);
  }

  async #storeOfEngine(envelope: Envelope): Promise<void> {
    this.#read(envelope);
    return this.#store(
      this.#stamp(envelope.type === "run_start" ? { ...envelope, payload: this.#startOf() } : envelope),
    );
  }

  /** Returns the payload of `run_start`. The runner, not the engine, knows whether the run is resumed. */
  #startOf(): EventPayloads["run_start"] {
    return { resumed: this.#options.isResumed === true };
  }

  async report<T extends EventType>(type: T, payload: EventPayloads[T]): Promise<void> {
    const { runId, attempt, now, createId } = this.#options;
    const started = this.#start();
    const envelope: unknown = createEnvelope(type, payload, {
      runId,
      attempt: attempt(),
      now,
      createId,
      source: "runner",
    });
    await Promise.all([started, isEnvelope(envelope) ? this.#store(envelope) : undefined]);
  }

  async end(status: RunStatus, end: EventPayloads["run_end"]): Promise<void> {
    // The journal stores both events together.
    await Promise.all([this.report("run_status_changed", { status }), this.report("run_end", end)]);
  }

  async warn(kind: string, message: string, details?: unknown): Promise<void> {
    this.#warnings.push(this.#options.masker.mask(message));
    const payload = details === undefined ? { kind, message } : { kind, message, details };
    // Failures to publish the warning are ignored, because the report contains the warning too.
    // A failed write to the event log stops the run anyway.
    await this.report("warning", payload).catch(() => undefined);
  }

  async #start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    await this.report("run_start", this.#startOf());
  }

  async warnOnce(kind: string, message: string): Promise<void> {
    if (this.#noted.has(message) || this.#noted.size >= MAX_WARNINGS) return;
    this.#noted.add(message);
    await this.warn(kind, message);
  }

  #read(envelope: Envelope): void {
    if (envelope.type === "usage_reported" && isRecord(envelope.payload.usage))
      this.#options.onUsage?.(envelope.payload);
    if (envelope.type === "session_start" && typeof envelope.payload.model === "string") {
      this.#model ??= envelope.payload.model;
    }
    const fallback = modelFallbackIn(envelope);
    if (fallback !== undefined && this.#modelFallbacks.length < MAX_MODEL_FALLBACKS) {
      this.#modelFallbacks.push(this.#options.masker.maskData(fallback));
    }
  }

  /** Sets the run id, the attempt number and the subject (routing key) of an event that the engine published. */
  #stamp(envelope: Envelope): Envelope {
    const { runId, attempt } = this.#options;
    const { seq: _, ...unnumbered } = envelope;
    const headers = { ...envelope.headers, [HEADER.runId]: runId };
    const subject = this.#isOwn(envelope.subject)
      ? envelope.subject
      : subjectOf(envelope.type, runId, envelope.headers[HEADER.agentId] ?? "engine");
    return { ...unnumbered, headers, subject, attempt: attempt() };
  }

  /** Returns whether the subject (routing key) of an event belongs to this run. */
  #isOwn(subject: string): boolean {
    if (subject === this.#subject) return true;
    if (!isSubjectOf(subject, this.#options.runId)) return false;
    this.#subject = subject;
    return true;
  }

  /**
   * Stores an event. Contract: all calls pass their events to the journal before they wait, so the journal contains the
   * events in the order of the calls.
   */
  async #store(envelope: Envelope): Promise<void> {
    const events = this.#deltas.mask(envelope);
    const [only] = events;
    if (only !== undefined && events.length === 1) return this.#publish(only);
    await Promise.all(events.map((event) => this.#publish(event)));
  }

  async #publish(event: Envelope): Promise<void> {
    try {
      await this.#options.journal.publish(this.#masked(event));
    } catch (error) {
      if (!(error instanceof InvalidEvent)) throw error;
      await this.warnOnce("event_refused", `An event ${event.type} was left out: ${error.message}.`);
    }
  }

  /**
   * Masks secrets in an event before it is stored or delivered. Text increments are already masked, including secrets
   * split across increments.
   */
  #masked(envelope: Envelope): Envelope {
    if (isTextDelta(envelope)) return envelope;
    try {
      return this.#options.masker.maskData(envelope);
    } catch (error) {
      throw new InvalidEvent("it is not plain data", { cause: error });
    }
  }
}

function isRunnersOwn(type: EventType): boolean {
  return EVENT_TABLE[type].emittedBy.every((emitter) => emitter === "runner");
}

function isSubjectOf(subject: string, runId: string): boolean {
  if (subject.length > MAX_SUBJECT_BYTES) return false;
  const prefix = `engine.run.${runId}.`;
  if (!subject.startsWith(prefix) || !SEGMENTS.test(subject.slice(prefix.length))) return false;
  return subject.length <= SURELY_SHORT || Buffer.byteLength(subject) <= MAX_SUBJECT_BYTES;
}
