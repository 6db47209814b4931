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
import { createDeltaMasker, type DeltaMasker, isDelta } from "./delta-masker.ts";
import { type EventJournal, InvalidEvent } from "./event-journal.ts";
import { isEnvelope } from "./is-envelope.ts";
import { modelFallbackIn } from "./model-fallback-in.ts";

const MAX_SUBJECT_BYTES = 1024;
/** Subjects that are remembered as good ones. */
const MAX_SUBJECTS = 1_000;
/** Different warnings about what one engine does. D13. */
const MAX_WARNINGS = 100;
/** Changes to a fallback model that the report of one attempt lists. */
const MAX_MODEL_FALLBACKS = 100;
/** Most characters of what an engine says about itself in a warning. */
const MAX_PROBLEM_CHARACTERS = 1_000;

/** What the events of a run are made with. */
export interface RunEventsOptions {
  /** Id of the run. */
  runId: string;
  /** 1-based attempt that is under way. */
  attempt: () => number;
  /** Whether the attempt goes on from a checkpoint. */
  isResumed?: boolean | undefined;
  /** Where events go. */
  journal: EventJournal;
  /** Takes secrets out. */
  masker: Masker;
  /** Wall clock, in milliseconds since 1970. */
  now: () => number;
  /** Makes ids of events. */
  createId: () => string;
  /** Told what the events say about tokens. */
  onUsage?: ((usage: UsagePayload) => void) | undefined;
}

/**
 * The events of one run, from the engine and from the runner. Contract: whatever an engine does, those of an
 * attempt begin with one `run_start`, end with one `run_end`, and hold no known secret and nothing of another run.
 */
export interface RunEvents extends Publisher {
  /** Publishes an event of the runner's own. Rejects with `run.store_failed`. */
  report<T extends EventType>(type: T, payload: EventPayloads[T]): Promise<void>;
  /** Reports a warning; what cannot be stored is kept in `warnings` all the same. */
  warn(kind: string, message: string, details?: unknown): Promise<void>;
  /** Reports a warning unless the same was reported before, or too many were: engines must not fill the log with them. */
  warnOnce(kind: string, message: string): Promise<void>;
  /** Warnings of the runner so far. */
  readonly warnings: readonly string[];
  /** Model that the engine named when its session began. */
  readonly model: string | undefined;
  /** Changes to a fallback model so far. */
  readonly modelFallbacks: readonly ModelFallback[];
  /** Whether what the engine publishes is refused. */
  readonly isClosed: boolean;
  /** Refuses whatever the engine publishes from now on. */
  closeForEngine(): void;
  /** Publishes the last two events: the state for good and the end of the run. Rejects with `run.store_failed`. */
  end(status: RunStatus, end: EventPayloads["run_end"]): Promise<void>;
}

/** Makes the events of one run. */
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
  readonly #subjects = new Set<string>();

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
      // Whatever an engine hands over may throw when it is read.
      const problem = messageOf(error).slice(0, MAX_PROBLEM_CHARACTERS);
      await this.warnOnce("event_refused", `The engine published an event that cannot be read: ${problem}.`);
    }
  }

  async #take(envelope: Envelope): Promise<void> {
    if (!isEnvelope(envelope)) {
      await this.warnOnce("event_refused", "The engine published something that is no event of the event table.");
      return;
    }
    if (isRunnersOwn(envelope.type)) {
      await this.warnOnce("event_refused", `The engine published ${envelope.type}, which only the runner may.`);
      return;
    }
    // The end of a run is what the runner makes of it, when the artifacts and the diff are there.
    if (envelope.type === "run_end") return;
    if (envelope.type === "run_start" && this.#started) return;
    if (envelope.type !== "run_start") await this.#start();
    this.#started = true;
    this.#read(envelope);
    await this.#store(
      this.#stamp(envelope.type === "run_start" ? { ...envelope, payload: this.#startOf() } : envelope),
    );
  }

  /** Whether a run goes on is known to the runner, whatever its engine says. */
  #startOf(): EventPayloads["run_start"] {
    return { resumed: this.#options.isResumed === true };
  }

  async report<T extends EventType>(type: T, payload: EventPayloads[T]): Promise<void> {
    const { runId, attempt, now, createId } = this.#options;
    await this.#start();
    const envelope: unknown = createEnvelope(type, payload, {
      runId,
      attempt: attempt(),
      now,
      createId,
      source: "runner",
    });
    if (isEnvelope(envelope)) await this.#store(envelope);
  }

  async end(status: RunStatus, end: EventPayloads["run_end"]): Promise<void> {
    await this.report("run_status_changed", { status });
    await this.report("run_end", end);
  }

  async warn(kind: string, message: string, details?: unknown): Promise<void> {
    this.#warnings.push(this.#options.masker.mask(message));
    const payload = details === undefined ? { kind, message } : { kind, message, details };
    // The warning is in the report as well, and a log that cannot be written ends the run by itself.
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

  /** Engines fill in what they like; run, attempt and routing are the runner's. */
  #stamp(envelope: Envelope): Envelope {
    const { runId, attempt } = this.#options;
    const { seq: _, ...unnumbered } = envelope;
    const headers = { ...envelope.headers, [HEADER.runId]: runId };
    const subject = this.#isOwn(envelope.subject)
      ? envelope.subject
      : subjectOf(envelope.type, runId, envelope.headers[HEADER.agentId] ?? "engine");
    return { ...unnumbered, headers, subject, attempt: attempt() };
  }

  /** Whether a subject is one of this run. An engine has few, and each event has one of them. */
  #isOwn(subject: string): boolean {
    if (this.#subjects.has(subject)) return true;
    if (!isSubjectOf(subject, this.#options.runId)) return false;
    if (this.#subjects.size < MAX_SUBJECTS) this.#subjects.add(subject);
    return true;
  }

  async #store(envelope: Envelope): Promise<void> {
    for (const event of this.#deltas.mask(envelope)) {
      try {
        await this.#options.journal.publish(this.#masked(event));
      } catch (error) {
        if (!(error instanceof InvalidEvent)) throw error;
        await this.warnOnce("event_refused", `An event ${event.type} was left out: ${error.message}.`);
      }
    }
  }

  /** Masks before anything is stored or shown. Increments are masked already, over the cuts between them. */
  #masked(envelope: Envelope): Envelope {
    if (isDelta(envelope)) return envelope;
    try {
      return this.#options.masker.maskData(envelope);
    } catch (error) {
      throw new InvalidEvent("it is no plain data", { cause: error });
    }
  }
}

function isRunnersOwn(type: EventType): boolean {
  return EVENT_TABLE[type].emittedBy.every((emitter) => emitter === "runner");
}

function isSubjectOf(subject: string, runId: string): boolean {
  if (!subject.startsWith(`engine.run.${runId}.`) || Buffer.byteLength(subject) > MAX_SUBJECT_BYTES) return false;
  return subject.split(".").every((segment) => segment !== "" && !/[*>\s]/u.test(segment));
}
