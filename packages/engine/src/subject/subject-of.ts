import { EVENT_TABLE, type EventType } from "@switchyard/contracts";
import { assertSubject } from "./matches-pattern.ts";
import { sanitiseId } from "./sanitise-id.ts";

/** Prefix of every event subject. See engine: SubjectPrefix. */
export const SUBJECT_PREFIX = "engine.run.";

// Number of UTF-16 units that always fit the maximum size of an event subject.
const SURELY_SHORT = 341;

const STREAM_SUBJECT = /^engine\.run\.[^.]+\.stream\.[^.]+\.delta$/;

function runPrefix(runId: string): string {
  return SUBJECT_PREFIX + sanitiseId(runId);
}

/** Run id and actor, each encoded as one segment of an event subject. */
export interface SubjectSegments {
  readonly prefix: string;
  readonly segment: string;
}

/** Returns the run id and the actor, each encoded as one segment of an event subject. */
export function subjectSegmentsOf(runId: string, actor = ""): SubjectSegments {
  return { prefix: runPrefix(runId), segment: sanitiseId(actor) };
}

/** Returns the subject of an event. Throws `subject.invalid` if it is too long. */
export function subjectFrom(type: EventType, place: SubjectSegments): string {
  const subject = writtenAt(type, place);
  if (subject.length > SURELY_SHORT) assertSubject(subject);
  return subject;
}

function writtenAt(type: EventType, { prefix, segment }: SubjectSegments): string {
  const kind = EVENT_TABLE[type].subject;
  switch (kind) {
    case "run.start":
      return `${prefix}.start`;
    case "run.end":
      return `${prefix}.end`;
    case "step.start":
    case "step.complete":
    case "step.error":
      return `${prefix}.step.${segment}.${kind.slice("step.".length)}`;
    case "stream.delta":
      return `${prefix}.stream.${segment}.delta`;
    case "session":
      return `${prefix}.session.${segment}.${type}`;
    default:
      return kind satisfies never;
  }
}

/**
 * Returns the subject of an event, as the event table routes it: `engine.run.<run>.start`, `.end`,
 * `.step.<actor>.start`, `.stream.<actor>.delta`, or `.session.<actor>.<event>` for all others. The actor is one
 * segment, `_` if it is empty. See engine: subjects.
 */
export function subjectOf(type: EventType, runId: string, actor = ""): string {
  return writtenAt(type, subjectSegmentsOf(runId, actor));
}

/** Returns true if a subject is that of a stream increment; inspects only the text. See engine: IsStreamDelta. */
export function isStreamDelta(subject: string): boolean {
  return STREAM_SUBJECT.test(subject);
}

/** Returns the pattern of every event of every run. See engine: PatternAllRuns. */
export function patternAllRuns(): string {
  return `${SUBJECT_PREFIX}>`;
}

/** Returns the pattern of every event of one run. See engine: PatternRun. */
export function patternRun(runId: string): string {
  return `${runPrefix(runId)}.>`;
}

/** Returns the pattern of every step event of one run. See engine: PatternRunSteps. */
export function patternRunSteps(runId: string): string {
  return `${runPrefix(runId)}.step.>`;
}

/** Returns the pattern of every stream increment of one run. See engine: PatternRunStream. */
export function patternRunStream(runId: string): string {
  return `${runPrefix(runId)}.stream.>`;
}
