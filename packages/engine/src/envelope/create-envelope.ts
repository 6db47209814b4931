import { type EnvelopeOf, type EventPayloads, type EventType, HEADER } from "@switchyard/contracts";
import { agentIdOf, nodeIdOf } from "../subject/agent-id-of.ts";
import { type SubjectSegments, subjectFrom, subjectSegmentsOf } from "../subject/subject-of.ts";
import { cachedTimestamp } from "./cached-timestamp.ts";

/** Options for `createEnvelope`. The caller provides time and ids. */
export interface EnvelopeOptions {
  /** Id of the run. */
  readonly runId: string;
  /** Actor that the event is about: the agent's id, optionally with a suffix that the engine defines. */
  readonly actor?: string | undefined;
  /** 1-based number of the attempt. */
  readonly attempt: number;
  /** Returns the time, in milliseconds since the epoch, like `Date.now`. */
  readonly now: () => number;
  /** Returns an id for the envelope. */
  readonly createId: () => string;
  /** Additional headers for routing. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Name of the publisher. */
  readonly source?: string | undefined;
  /** Trace span of the event. */
  readonly span?: { readonly traceId: string; readonly spanId: string } | undefined;
}

function headersOf({
  runId,
  actor,
  headers,
}: Pick<EnvelopeOptions, "runId" | "actor" | "headers">): Record<string, string> {
  const marks: Record<string, string> = { ...headers };
  if (runId !== "") marks[HEADER.runId] = runId;
  if (actor === undefined || actor === "") return marks;
  marks[HEADER.agentId] = agentIdOf(actor);
  const nodeId = nodeIdOf(actor);
  if (nodeId !== undefined) marks[HEADER.nodeId] = nodeId;
  return marks;
}

/**
 * Routing data that all events of one actor in a run share. An actor is an agent or a part of it. `type` and `subject`
 * belong to the last event of the actor: the subject is computed again only if the next event has another type.
 */
interface Route {
  readonly runId: string;
  readonly actor: string | undefined;
  readonly place: SubjectSegments;
  readonly headers: Readonly<Record<string, string>>;
  type: EventType;
  subject: string;
}

// Consecutive events are usually about one actor, so the last route is cached.
let last: Route | undefined;

function routeOf(type: EventType, { runId, actor, headers }: EnvelopeOptions): Route {
  if (last !== undefined && headers === undefined && last.runId === runId && last.actor === actor) {
    if (last.type !== type) {
      last.subject = subjectFrom(type, last.place);
      last.type = type;
    }
    return last;
  }
  const place = subjectSegmentsOf(runId, actor);
  const marks = Object.freeze(headersOf({ runId, actor, headers }));
  const route: Route = { runId, actor, place, headers: marks, type, subject: subjectFrom(type, place) };
  if (headers === undefined) last = route;
  return route;
}

/**
 * Creates an event envelope. The event table defines its subject. Throws `subject.invalid`. See engine: event.Envelope.
 */
export function createEnvelope<T extends EventType>(
  type: T,
  payload: EventPayloads[T],
  options: EnvelopeOptions,
): EnvelopeOf<T> {
  const { subject, headers } = routeOf(type, options);
  const envelope: EnvelopeOf<T> = {
    id: options.createId(),
    type,
    subject,
    time: cachedTimestamp(options.now()),
    attempt: options.attempt,
    headers,
    payload,
  };
  if (options.source !== undefined) envelope.source = options.source;
  if (options.span !== undefined) {
    envelope.trace_id = options.span.traceId;
    envelope.span_id = options.span.spanId;
  }
  return envelope;
}
