import { type Envelope, type EventText, isEventType } from "@switchyard/contracts";
import { isRecord } from "./encode-value.ts";
import { openLine, sealLine } from "./sealed-text.ts";

/**
 * Parsed line of an event log: an event, an event that a newer release wrote, or the problem that makes the line
 * unreadable.
 */
export type EventLine =
  | { readonly kind: "event"; readonly seq: number; readonly envelope: Envelope }
  | { readonly kind: "unknown"; readonly seq: number }
  | { readonly kind: "damaged"; readonly problem: string };

/**
 * Returns true if a value has the header fields of a known event. Payloads are not checked, because newer releases may
 * add fields.
 */
export function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value["type"] !== "string" || !isEventType(value["type"])) return false;
  const { id, subject, time, attempt, headers, payload, seq } = value;
  const isHeader = typeof id === "string" && typeof subject === "string" && typeof time === "string";
  const isNumbered = typeof attempt === "number" && (seq === undefined || typeof seq === "number");
  return isHeader && isNumbered && isRecord(headers) && isRecord(payload);
}

/** Returns why an event cannot be stored after the last stored event. `undefined` if it can be stored. */
export function problemOfEvent({ seq, text }: EventText, lastSeq: number): string | undefined {
  if (seq !== lastSeq + 1) return `event ${seq} does not follow event ${lastSeq}`;
  if (!text.startsWith("{") || !text.endsWith("}") || text.includes("\n")) return `event ${seq} is not a line of JSON`;
  return undefined;
}

/** Returns the line of an event, with checksum and line ending. */
export function eventLine(event: EventText): string {
  return `${sealLine(event.text)}\n`;
}

/** Parses a line of a run's event log. */
export function parseEventLine(line: string | Uint8Array, runId: string): EventLine {
  const opened = openLine(line);
  if (opened.kind === "newer") return { kind: "damaged", problem: `it has the newer format ${opened.format}` };
  if (opened.kind === "damaged") return opened;
  const { value } = opened;
  if (isRecord(value) && typeof value["seq"] === "number") {
    const { run_id: named } = isRecord(value["headers"]) ? value["headers"] : {};
    if (typeof named === "string" && named !== runId) {
      return { kind: "damaged", problem: `it is an event of the run ${named}` };
    }
    if (isEnvelope(value)) return { kind: "event", seq: value["seq"], envelope: value };
    if (typeof value["type"] === "string" && !isEventType(value["type"])) return { kind: "unknown", seq: value["seq"] };
  }
  return { kind: "damaged", problem: "it is not an event with a seq" };
}
