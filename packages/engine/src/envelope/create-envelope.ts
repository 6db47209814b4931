import { type EnvelopeOf, type EventPayloads, type EventType, HEADER } from "@switchyard/contracts";
import { agentIdOf, nodeIdOf } from "../subject/agent-id-of.ts";
import { placeOf, type SubjectPlace, subjectAt } from "../subject/subject-of.ts";
import { stampOf } from "./stamp-of.ts";

/** Who publishes, and when. Time and ids come from the caller. */
export interface EnvelopeOptions {
  /** Id of the run. */
  readonly runId: string;
  /** Who it is about: the agent's id, with an engine's own suffix where there is one. */
  readonly actor?: string | undefined;
  /** 1-based attempt of the run. */
  readonly attempt: number;
  /** The time, in milliseconds since the epoch, like `Date.now`. */
  readonly now: () => number;
  /** Makes the envelope's id. */
  readonly createId: () => string;
  /** Further routing marks. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Who publishes it. */
  readonly source?: string | undefined;
  /** The span it belongs to. */
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

/** What all events about one actor of a run have in common, and where those of the last type go. */
interface Route {
  readonly runId: string;
  readonly actor: string | undefined;
  readonly place: SubjectPlace;
  readonly headers: Readonly<Record<string, string>>;
  type: EventType;
  subject: string;
}

// Events come in rows about one actor, increments by the thousand: each is routed as the one before.
let last: Route | undefined;

function routeOf(type: EventType, { runId, actor, headers }: EnvelopeOptions): Route {
  if (last !== undefined && headers === undefined && last.runId === runId && last.actor === actor) {
    if (last.type !== type) {
      last.subject = subjectAt(type, last.place);
      last.type = type;
    }
    return last;
  }
  const place = placeOf(runId, actor);
  const marks = Object.freeze(headersOf({ runId, actor, headers }));
  const route: Route = { runId, actor, place, headers: marks, type, subject: subjectAt(type, place) };
  if (headers === undefined) last = route;
  return route;
}

/** Makes the envelope of an event, routed as the event table says. Throws `subject.invalid`. engine: event.Envelope. */
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
    time: stampOf(options.now()),
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
