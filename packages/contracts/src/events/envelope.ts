import type { EventPayloads, EventType } from "./event-payloads.ts";

/** Headers of an envelope that have a meaning. engine: event headers. */
export const HEADER = {
  runId: "run_id",
  agentId: "agent_id",
  nodeId: "node_id",
  tenant: "tenant",
} as const;

/** One event on the bus, in its wire form. engine: event.Envelope. */
export interface EnvelopeOf<T extends EventType> {
  /** Unique id. */
  id: string;
  /** Name of the event, from the event table. */
  type: T;
  /** Routing key, `engine.run.<run id>.…`. */
  subject: string;
  /** When it was published, ISO 8601. */
  time: string;
  /** 1-based number within the run, without gaps; only stored events carry one. */
  seq?: number | undefined;
  /** 1-based attempt of the run. */
  attempt: number;
  /** Who published it. */
  source?: string | undefined;
  /** Trace it belongs to. */
  trace_id?: string | undefined;
  /** Span it belongs to. */
  span_id?: string | undefined;
  /** Routing marks, see `HEADER`. */
  headers: Readonly<Record<string, string>>;
  /** What happened. */
  payload: EventPayloads[T];
}

/** Any event on the bus; `type` tells which. engine: event.Envelope. */
export type Envelope = { [T in EventType]: EnvelopeOf<T> }[EventType];
