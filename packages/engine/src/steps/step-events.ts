import { type Envelope, EVENT_TABLE, type EventType, HEADER, type UserReply } from "@switchyard/contracts";
import { createEnvelope, type EnvelopeOptions } from "../envelope/create-envelope.ts";
import type { StepQuestion, StepState } from "./step-state.ts";

/**
 * Events that an engine publishes whenever it is executed. Each step executes the engine, but a run publishes these
 * events only in the first step of an attempt.
 */
const STARTS: readonly EventType[] = ["run_start", "session_start"];

/** Options of {@link StepEvents}. */
export interface StepEventsOptions {
  /** State before the step. */
  readonly state: StepState;
  /** Masks secrets. */
  readonly mask: (envelope: Envelope) => Envelope;
  /** Receives each stored event as soon as the engine publishes it. */
  readonly onEvent: ((envelope: Envelope) => void) | undefined;
  /** Fields of events that the host itself publishes. */
  readonly marks: EnvelopeOptions;
}

/** Id of the call that an event is about, unique within the run. */
function callKey({ headers }: Envelope, id: string): string {
  return `${headers[HEADER.agentId] ?? ""}/${id}`;
}

/**
 * Collects the events of one step. Drops events that repeat an earlier step, and everything after the end of the step.
 */
export class StepEvents {
  readonly #options: StepEventsOptions;
  readonly #isContinued: boolean;
  readonly #openCalls: Set<string>;
  readonly #announced: ReadonlySet<string>;
  readonly list: Envelope[] = [];
  #seq: number;
  #isClosed = false;

  /** Creates an empty collection. */
  constructor(options: StepEventsOptions) {
    const { state } = options;
    this.#options = options;
    this.#isContinued = state.is_started && state.status !== "failed";
    this.#announced = new Set(state.open_calls);
    this.#openCalls = new Set(state.open_calls);
    this.#seq = state.seq;
  }

  /** Sequence number of the last event. */
  get seq(): number {
    return this.#seq;
  }

  /** Calls whose start was published, and whose end was not. */
  get openCalls(): readonly string[] {
    return Array.from(this.#openCalls);
  }

  /** Publishes an event of the engine. */
  publish(envelope: Envelope): void {
    if (this.#isClosed || this.#isRepeated(envelope)) return;
    if (!EVENT_TABLE[envelope.type].persisted) return;
    this.#seq += 1;
    const event = { ...this.#options.mask(envelope), seq: this.#seq };
    this.list.push(event);
    this.#options.onEvent?.(event);
  }

  /** Publishes that the engine asked a question. */
  reportQuestion({ id, parts, schema, metadata }: StepQuestion): void {
    const more = { ...(schema === undefined ? {} : { schema }), ...(metadata === undefined ? {} : { metadata }) };
    this.publish(createEnvelope("user_prompted", { prompt_id: id, parts, ...more }, this.#options.marks));
  }

  /** Publishes that the user answered a question. */
  reportReply(id: string, { parts }: UserReply): void {
    this.publish(createEnvelope("user_replied", { prompt_id: id, parts }, this.#options.marks));
  }

  /** Ends the collection: later events belong to no step. */
  close(): void {
    this.#isClosed = true;
  }

  #isRepeated(envelope: Envelope): boolean {
    if (this.#isContinued && STARTS.includes(envelope.type)) return true;
    if (envelope.type === "tool_call_start") {
      const key = callKey(envelope, envelope.payload.id);
      this.#openCalls.add(key);
      return this.#announced.has(key);
    }
    if (envelope.type === "tool_call_end") this.#openCalls.delete(callKey(envelope, envelope.payload.tool_call_id));
    return false;
  }
}
