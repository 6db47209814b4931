import { type EnvelopeOf, type EventPayloads, type EventType, HEADER } from "@switchyard/contracts";
import { agentIdOf, nodeIdOf } from "../subject/agent-id-of.ts";
import { assertSubject } from "../subject/matches-pattern.ts";
import { subjectOf } from "../subject/subject-of.ts";
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

function headersOf({ runId, actor, headers }: EnvelopeOptions): Record<string, string> {
  const marks: Record<string, string> = { ...headers };
  if (runId !== "") marks[HEADER.runId] = runId;
  if (actor === undefined || actor === "") return marks;
  marks[HEADER.agentId] = agentIdOf(actor);
  const nodeId = nodeIdOf(actor);
  if (nodeId !== undefined) marks[HEADER.nodeId] = nodeId;
  return marks;
}

/** Where an event goes. */
interface Route {
  readonly type: EventType;
  readonly runId: string;
  readonly actor: string | undefined;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
}

// Events come in rows of one kind about one actor, increments by the thousand: each is routed as the one before.
let last: Route | undefined;

function newRoute(type: EventType, options: EnvelopeOptions, headers: Route["headers"]): Route {
  const { runId, actor } = options;
  const subject = subjectOf(type, runId, actor);
  assertSubject(subject);
  return { type, runId, actor, subject, headers };
}

function routeOf(type: EventType, options: EnvelopeOptions): Route {
  if (options.headers !== undefined) return newRoute(type, options, headersOf(options));
  const isSame = last !== undefined && last.runId === options.runId && last.actor === options.actor;
  if (last === undefined || !isSame) last = newRoute(type, options, Object.freeze(headersOf(options)));
  else if (last.type !== type) last = newRoute(type, options, last.headers);
  return last;
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
