import type { ModelResponse, Part } from "@switchyard/contracts";

/** One server-sent event of Anthropic's Messages API. */
export interface MessagesEvent {
  /** Name of the event. */
  readonly type: string;
  /** Further fields. */
  readonly [field: string]: unknown;
}

const CHUNK = 12;

/** Encodes a response as events of a streamed message in the wire format of Anthropic's Messages API. */
export function encodeAnswer(response: ModelResponse): MessagesEvent[] {
  const { inputTokens, outputTokens } = response.usage;
  const hasCalls = response.message.parts.some((part) => part.type === "tool_call");
  const message = {
    id: response.id,
    type: "message",
    role: "assistant",
    model: response.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: 0 },
  };
  return [
    { type: "message_start", message },
    ...response.message.parts.flatMap(encodePart),
    {
      type: "message_delta",
      delta: { stop_reason: hasCalls ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: outputTokens },
    },
    { type: "message_stop" },
  ];
}

function encodePart(part: Part, index: number): MessagesEvent[] {
  if (part.type === "text") {
    const deltas = chunks(part.text).map((text) => ({ type: "text_delta", text }));
    return block(index, { type: "text", text: "" }, deltas);
  }
  if (part.type === "tool_call") {
    const deltas = chunks(part.arguments).map((text) => ({ type: "input_json_delta", partial_json: text }));
    return block(index, { type: "tool_use", id: part.id, name: part.name, input: {} }, deltas);
  }
  throw new TypeError(`Recorded responses may only contain text and tool calls, not ${part.type}.`);
}

function block(index: number, start: unknown, deltas: readonly unknown[]): MessagesEvent[] {
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function chunks(text: string): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += CHUNK) {
    pieces.push(characters.slice(start, start + CHUNK).join(""));
  }
  return pieces;
}
