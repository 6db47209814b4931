import type { EventPayloads, EventType } from "./event-payloads.ts";

/** Names of envelope headers. See engine: event headers. */
export const HEADER = {
  runId: "run_id",
  agentId: "agent_id",
  nodeId: "node_id",
  tenant: "tenant",
} as const;

/** One event of a run, with the fields by which the event bus routes it, in wire format. See engine: event.Envelope. */
export interface EnvelopeOf<T extends EventType> {
  /** Unique id. */
  id: string;
  /** Type of the event, from the event table. */
  type: T;
  /** Routing key, `engine.run.<run id>.…`. */
  subject: string;
  /** Time the event was published, ISO 8601. */
  time: string;
  /** 1-based sequence number within the run, without gaps. `undefined` for events that are not stored. */
  seq?: number | undefined;
  /** Number of the attempt (execution of the run) to which the event belongs; 1 for the first. */
  attempt: number;
  /** Name of the publisher. */
  source?: string | undefined;
  /** Trace id. */
  trace_id?: string | undefined;
  /** Span id. */
  span_id?: string | undefined;
  /** Headers for routing, see `HEADER`. */
  headers: Readonly<Record<string, string>>;
  /** Payload of the event. */
  payload: EventPayloads[T];
}

/** Any event on the bus, discriminated by `type`. See engine: event.Envelope. */
export type Envelope = { [T in EventType]: EnvelopeOf<T> }[EventType];
