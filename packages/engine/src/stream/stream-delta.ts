import {
  EngineError,
  type TokenDeltaPayload,
  type ToolCallEndPayload,
  type ToolCallStartPayload,
} from "@switchyard/contracts";

/** A stream delta of an unknown type, which readers ignore. */
export interface UnknownDelta {
  readonly type: "unknown";
  /** Type of the delta. */
  readonly kind: string;
  /** Complete payload. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A piece of output that is streamed while a step runs. See engine: StreamDeltaPayload. */
export type StreamDelta = TokenDeltaPayload | ToolCallStartPayload | ToolCallEndPayload | UnknownDelta;

function invalid(problem: string, cause?: unknown): EngineError {
  return new EngineError("stream.invalid_delta", { problem }, { cause });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordOf(payload: unknown): Record<string, unknown> {
  let value = payload;
  if (typeof payload === "string") {
    try {
      value = JSON.parse(payload);
    } catch (error) {
      throw invalid("its payload is not JSON", error);
    }
  }
  if (!isRecord(value))
    throw invalid(value === undefined || value === null ? "it has no payload" : "its payload is not an object");
  return value;
}

/** Returns a text field. Empty if the field is missing, as in languages whose strings default to empty. */
function textField(record: Record<string, unknown>, name: string): string {
  const value = record[name] ?? "";
  if (typeof value !== "string") throw invalid(`its ${name} is not a string`);
  return value;
}

/**
 * Returns the stream delta in an envelope's payload, including additional fields. The envelope's subject is ignored.
 * Throws `stream.invalid_delta` if the payload is missing, is not a JSON object, or has fields of a wrong type. See
 * engine: DecodeStreamDelta.
 */
export function decodeStreamDelta(envelope: { readonly payload?: unknown }): StreamDelta {
  const record = recordOf(envelope.payload);
  const type = textField(record, "type");
  switch (type) {
    case "token":
      return { ...record, type, content: textField(record, "content") };
    case "tool_call":
      return { ...record, type, id: textField(record, "id"), name: textField(record, "name") };
    case "tool_result":
      return {
        ...record,
        type,
        tool_call_id: textField(record, "tool_call_id"),
        content: textField(record, "content"),
      };
    case "":
      throw invalid("it names no type");
    default:
      return { type: "unknown", kind: type, payload: record };
  }
}
