import { type Envelope, type EnvelopeOf, type EventType, isEventType } from "@switchyard/contracts";
import { createEnvelope, type EnvelopeOptions } from "@switchyard/engine";
import type { SessionEvent } from "../events/session-event.ts";
import type { SessionRun } from "./session-run.ts";
import type { StepEvent } from "./step-tracker.ts";

function isEnvelope(envelope: EnvelopeOf<EventType>): envelope is Envelope {
  return isEventType(envelope.type);
}

/** Returns the envelope fields that are the same in all events of an actor, such as an agent or one of its steps. */
export function marksOf(
  { run, now, name }: SessionRun,
  { actor, createId }: Pick<EnvelopeOptions, "actor" | "createId">,
): EnvelopeOptions {
  return { runId: run.id, actor, attempt: run.resume?.attempt ?? 1, now, createId, source: name };
}

/**
 * Publishes an event to the host. The returned promise may reject: the host records the failure, and the run continues.
 * See engine: Publisher.
 */
export function publishEvent(
  job: SessionRun,
  event: SessionEvent | StepEvent,
  marks: EnvelopeOptions,
): Promise<void> | undefined {
  const envelope = createEnvelope<EventType>(event.type, event.data, marks);
  if (!isEnvelope(envelope)) return undefined;
  try {
    return job.host.publish(envelope);
  } catch {
    // A synchronous throw is handled like a rejection.
    return undefined;
  }
}
