import { type Envelope, type EnvelopeOf, type EventType, isEventType } from "@switchyard/contracts";
import { createEnvelope, type EnvelopeOptions } from "@switchyard/engine";
import type { SessionEvent } from "../events/session-event.ts";
import type { SessionRun } from "./session-run.ts";
import type { StepEvent } from "./step-tracker.ts";

function isEnvelope(envelope: EnvelopeOf<EventType>): envelope is Envelope {
  return isEventType(envelope.type);
}

/** What the envelopes of one actor of a run have in common. */
export function marksOf(
  { run, now, name }: SessionRun,
  { actor, createId }: Pick<EnvelopeOptions, "actor" | "createId">,
): EnvelopeOptions {
  return { runId: run.id, actor, attempt: run.resume?.attempt ?? 1, now, createId, source: name };
}

/**
 * Hands the host an event. What it promises is given as it is, and may reject: the host has recorded that, and the run
 * goes on. engine: Publisher.
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
    // The same as a promise that rejects.
    return undefined;
  }
}
