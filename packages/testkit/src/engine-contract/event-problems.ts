import { type Envelope, EVENT_TABLE } from "@switchyard/contracts";

const KINDS = {
  "run.start": /^start$/,
  "run.end": /^end$/,
  "step.start": /^step\.[^.]+\.start$/,
  "step.complete": /^step\.[^.]+\.complete$/,
  "step.error": /^step\.[^.]+\.error$/,
  "stream.delta": /^stream\.[^.]+\.delta$/,
  session: /^[^.].*[^.]$/,
} as const;

/**
 * Returns why the routing subject of an event does not match the event's type. `undefined` if the subject is correct.
 * See engine: subjects.
 */
export function subjectProblem({ type, subject }: Envelope, runId: string): string | undefined {
  const prefix = `engine.run.${runId}.`;
  if (!subject.startsWith(prefix)) return `it does not begin with ${prefix}`;
  const pattern = KINDS[EVENT_TABLE[type].subject];
  return pattern.test(subject.slice(prefix.length)) ? undefined : `it does not match ${pattern.source} after ${prefix}`;
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  token: ["content"],
  tool_call: ["id", "name"],
  tool_result: ["tool_call_id", "content"],
};

/**
 * Returns which field a stream delta lacks. `undefined` if the delta is complete or of an unknown type. See engine:
 * StreamDeltaPayload.
 */
export function deltaProblem(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null) return "it is not an object";
  const type: unknown = Reflect.get(payload, "type");
  if (typeof type !== "string" || type === "") return "it names no type";
  const missing = (REQUIRED[type] ?? []).find((name) => {
    const value: unknown = Reflect.get(payload, name);
    return typeof value !== "string" || (value === "" && name !== "content");
  });
  return missing === undefined ? undefined : `${type} has no ${missing}`;
}
