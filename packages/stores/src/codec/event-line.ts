import { type Envelope, type EventText, isEventType } from "@switchyard/contracts";
import { isRecord } from "./encode-value.ts";
import { openLine, sealLine } from "./sealed-text.ts";

/** One line of an event log: an event, an event of a newer release, or why it cannot be read. */
export type EventLine =
  | { readonly kind: "event"; readonly seq: number; readonly envelope: Envelope }
  | { readonly kind: "unknown"; readonly seq: number }
  | { readonly kind: "damaged"; readonly problem: string };

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

/** Why an event is none that can be kept behind the last one; nothing when all is well. */
export function problemOfEvent({ seq, text }: EventText, lastSeq: number): string | undefined {
  if (seq !== lastSeq + 1) return `event ${seq} does not follow event ${lastSeq}`;
  if (!text.startsWith("{") || !text.endsWith("}") || text.includes("\n")) return `event ${seq} is no line of JSON`;
  return undefined;
}

/** The line of an event, with its check and its end. */
export function eventLine(event: EventText): string {
  return `${sealLine(event.text)}\n`;
}

/** Reads one line of the event log of a run. */
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
  return { kind: "damaged", problem: "it is no envelope with a seq" };
}
