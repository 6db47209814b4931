import { type Envelope, isEventType } from "@switchyard/contracts";

/** A value that is an object and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a value has the header of an envelope whose event this release knows. Payloads are those of the writer;
 * a newer release may add fields.
 */
export function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value["type"] !== "string" || !isEventType(value["type"])) return false;
  const { id, subject, time, attempt, headers, payload, seq } = value;
  const isHeader = typeof id === "string" && typeof subject === "string" && typeof time === "string";
  const isNumbered = typeof attempt === "number" && (seq === undefined || typeof seq === "number");
  return isHeader && isNumbered && isRecord(headers) && isRecord(payload);
}

/** One line of an event log: an event, an event of a newer release, or why it cannot be read. */
export type EventLine =
  | { kind: "event"; envelope: Envelope; seq: number }
  | { kind: "unknown"; type: string }
  | { kind: "damaged"; problem: string };

/** Reads one line of an event log. */
export function parseEventLine(text: string): EventLine {
  const value = parseJson(text);
  if (value === undefined) return { kind: "damaged", problem: "it is not valid JSON" };
  if (isEnvelope(value)) {
    return value.seq === undefined
      ? { kind: "damaged", problem: "its event has no seq" }
      : { kind: "event", envelope: value, seq: value.seq };
  }
  if (isRecord(value) && typeof value["type"] === "string" && !isEventType(value["type"])) {
    return { kind: "unknown", type: value["type"] };
  }
  return { kind: "damaged", problem: "it is no envelope" };
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
