import {
  EngineError,
  type Envelope,
  type Publisher,
  type StreamDeltaPayload,
  type TokenDeltaPayload,
  type ToolCallEndPayload,
  type ToolCallStartPayload,
} from "@switchyard/contracts";
import { createEnvelope, type EnvelopeOptions } from "../envelope/create-envelope.ts";
import { decodeStreamDelta } from "./stream-delta.ts";

function assertSet(value: string, name: string): void {
  if (value === "") throw new EngineError("stream.invalid_delta", { problem: `its ${name} is empty` });
}

/**
 * Publishes a piece of the model's text, which may be empty. Rejects if publishing fails. See engine: EmitStreamToken.
 */
export async function emitStreamToken(
  publisher: Publisher | undefined,
  content: string,
  options: EnvelopeOptions,
): Promise<void> {
  await emitStreamDelta(publisher, { type: "token", content }, options);
}

/**
 * Publishes the start of a tool call. Throws `stream.invalid_delta` without id or name. See engine: EmitStreamToolCall.
 */
export async function emitStreamToolCall(
  publisher: Publisher | undefined,
  call: Omit<ToolCallStartPayload, "type">,
  options: EnvelopeOptions,
): Promise<void> {
  await emitStreamDelta(publisher, { ...call, type: "tool_call" }, options);
}

/**
 * Publishes the result of a tool call. Throws `stream.invalid_delta` without the id of the call. See engine:
 * EmitStreamToolResult.
 */
export async function emitStreamToolResult(
  publisher: Publisher | undefined,
  result: Omit<ToolCallEndPayload, "type">,
  options: EnvelopeOptions,
): Promise<void> {
  await emitStreamDelta(publisher, { ...result, type: "tool_result" }, options);
}

/**
 * Publishes a stream delta of any type, including unknown ones. Does nothing without a publisher; rejects if publishing
 * fails. Throws `stream.invalid_delta` if the delta's type, or a field that this type requires, is missing or invalid.
 * See engine: EmitStreamDelta.
 */
export async function emitStreamDelta(
  publisher: Publisher | undefined,
  delta: StreamDeltaPayload | TokenDeltaPayload | ToolCallStartPayload | ToolCallEndPayload,
  options: EnvelopeOptions,
): Promise<void> {
  const envelope = envelopeOf(delta, options);
  await publisher?.publish(envelope);
}

function envelopeOf(payload: unknown, options: EnvelopeOptions): Envelope {
  const delta = decodeStreamDelta({ payload });
  switch (delta.type) {
    case "token":
      return createEnvelope("assistant_text_delta", delta, options);
    case "tool_call":
      assertSet(delta.id, "id");
      assertSet(delta.name, "name");
      return createEnvelope("tool_call_start", delta, options);
    case "tool_result":
      assertSet(delta.tool_call_id, "tool_call_id");
      return createEnvelope("tool_call_end", delta, options);
    case "unknown":
      return createEnvelope("stream_delta", { ...delta.payload, type: delta.kind }, options);
    default:
      return delta satisfies never;
  }
}
