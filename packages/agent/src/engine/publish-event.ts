import { type Envelope, type EnvelopeOf, type EventType, isEventType } from "@switchyard/contracts";
import { createEnvelope } from "@switchyard/engine";
import type { SessionEvent } from "../session/session-event.ts";
import type { SessionRun } from "./session-run.ts";
import type { StepEvent } from "./step-tracker.ts";

function isEnvelope(envelope: EnvelopeOf<EventType>): envelope is Envelope {
  return isEventType(envelope.type);
}

/** Tells the host of an event; one that it does not take is the host's to record. engine: Publisher. */
export async function publishEvent(job: SessionRun, event: SessionEvent | StepEvent, actor: string): Promise<void> {
  const { run, host, now, createId, name } = job;
  const envelope = createEnvelope<EventType>(event.type, event.data, {
    runId: run.id,
    actor,
    attempt: run.resume?.attempt ?? 1,
    now,
    createId,
    source: name,
  });
  if (!isEnvelope(envelope)) return;
  try {
    await host.publish(envelope);
  } catch {
    // Publisher contract: a failure is the host's to record; the run goes on.
  }
}
