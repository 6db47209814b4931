import { EVENT_TABLE, type EventType } from "@switchyard/contracts";
import { sanitiseId } from "./sanitise-id.ts";

/** What every subject begins with. engine: SubjectPrefix. */
export const SUBJECT_PREFIX = "engine.run.";

const STREAM_SUBJECT = /^engine\.run\.[^.]+\.stream\.[^.]+\.delta$/;

function runPrefix(runId: string): string {
  return SUBJECT_PREFIX + sanitiseId(runId);
}

/**
 * The subject of an event, as the event table routes it: `engine.run.<run>.start`, `.end`, `.step.<actor>.start`,
 * `.stream.<actor>.delta`, or `.session.<actor>.<event>` for all others. The actor is one segment, `_` when it is
 * empty. engine: subjects.
 */
export function subjectOf(type: EventType, runId: string, actor = ""): string {
  const kind = EVENT_TABLE[type].subject;
  const prefix = runPrefix(runId);
  switch (kind) {
    case "run.start":
      return `${prefix}.start`;
    case "run.end":
      return `${prefix}.end`;
    case "step.start":
    case "step.complete":
    case "step.error":
      return `${prefix}.step.${sanitiseId(actor)}.${kind.slice("step.".length)}`;
    case "stream.delta":
      return `${prefix}.stream.${sanitiseId(actor)}.delta`;
    case "session":
      return `${prefix}.session.${sanitiseId(actor)}.${type}`;
    default:
      return kind satisfies never;
  }
}

/** Whether a subject is that of a stream increment; looks at the text alone. engine: IsStreamDelta. */
export function isStreamDelta(subject: string): boolean {
  return STREAM_SUBJECT.test(subject);
}

/** Every event of every run. engine: PatternAllRuns. */
export function patternAllRuns(): string {
  return `${SUBJECT_PREFIX}>`;
}

/** Every event of one run. engine: PatternRun. */
export function patternRun(runId: string): string {
  return `${runPrefix(runId)}.>`;
}

/** Every step event of one run. engine: PatternRunSteps. */
export function patternRunSteps(runId: string): string {
  return `${runPrefix(runId)}.step.>`;
}

/** Every stream increment of one run. engine: PatternRunStream. */
export function patternRunStream(runId: string): string {
  return `${runPrefix(runId)}.stream.>`;
}
