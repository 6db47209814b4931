import { type Envelope, isEventType } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/**
 * True if a value has the header fields of a known event type. Payloads are not checked, because newer releases may add
 * fields.
 */
export function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value["type"] !== "string" || !isEventType(value["type"])) return false;
  const { id, subject, time, attempt, headers, payload, seq } = value;
  const isHeader = typeof id === "string" && typeof subject === "string" && typeof time === "string";
  const isNumbered = typeof attempt === "number" && (seq === undefined || typeof seq === "number");
  return isHeader && isNumbered && isRecord(headers) && isRecord(payload);
}
