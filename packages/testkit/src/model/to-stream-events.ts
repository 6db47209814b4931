import type { ModelResponse, Part, StreamEvent } from "@switchyard/contracts";

/** Splits a text into chunks, never within a character. */
function* chunksOf(text: string, size: number): Generator<string> {
  let chunk = "";
  for (const character of text) {
    if (chunk !== "" && chunk.length + character.length > size) {
      yield chunk;
      chunk = "";
    }
    chunk += character;
  }
  if (chunk !== "") yield chunk;
}

function* partEvents(part: Part, index: number, size: number): Generator<StreamEvent> {
  if (part.type === "text") {
    const textId = `text_${index}`;
    yield { type: "text_start", textId };
    for (const text of chunksOf(part.text, size)) yield { type: "text_delta", textId, text };
    yield { type: "text_end", textId };
  } else if (part.type === "thinking") {
    const reasoningId = `reasoning_${index}`;
    yield { type: "reasoning_start", reasoningId };
    for (const text of chunksOf(part.text, size)) yield { type: "reasoning_delta", reasoningId, text };
    yield { type: "reasoning_end", reasoningId };
  } else if (part.type === "tool_call") {
    const { id: callId, name } = part;
    yield { type: "tool_call_start", callId, name };
    for (const argumentsDelta of chunksOf(part.arguments, size)) {
      yield { type: "tool_call_delta", callId, argumentsDelta };
    }
    yield { type: "tool_call_end", callId, name, arguments: part.arguments };
  }
}

/** Converts a complete response to stream events as sent by a provider, ending with `finish`. */
export function* toStreamEvents(response: ModelResponse, chunkSize: number): Generator<StreamEvent> {
  yield { type: "stream_start", id: response.id, model: response.model };
  for (const [index, part] of response.message.parts.entries()) yield* partEvents(part, index, chunkSize);
  yield { type: "finish", response };
}
