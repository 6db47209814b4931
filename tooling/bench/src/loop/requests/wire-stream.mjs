// @ts-check

/** One chunk of the response's text. */
export const PIECE = "some words of it ";

const TEXT = {
  openai: { type: "response.output_text.delta", item_id: "msg_1", delta: PIECE },
  anthropic: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: PIECE } },
  gemini: { responseId: "resp_1", candidates: [{ content: { role: "model", parts: [{ text: PIECE }] } }] },
};

const OPENING = {
  openai: [
    { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5.1" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
  ],
  anthropic: [
    {
      type: "message_start",
      message: { id: "msg_1", model: "claude-sonnet-4-5", content: [], usage: { input_tokens: 10, output_tokens: 0 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
  gemini: [],
};

const CLOSING = {
  openai: [
    { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1" } },
    {
      type: "response.completed",
      response: { incomplete_details: null, usage: { input_tokens: 10, output_tokens: 2 } },
    },
  ],
  anthropic: [
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ],
  gemini: [
    {
      responseId: "resp_1",
      candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
    },
  ],
};

/** @typedef {keyof typeof TEXT} Family */

/** @type {readonly Family[]} */
export const FAMILIES = ["openai", "anthropic", "gemini"];

/**
 * @param {object} event
 * @returns {string}
 */
function frame(event) {
  return `${"type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
}

/** Number of deltas per write, as sent by a busy API. */
const DELTAS_PER_WRITE = 4;

/**
 * Yields a streamed response in the wire format of a family, one write at a time.
 * @param {string} name
 * @param {number} deltas
 * @returns {Iterable<string>}
 */
export function* wireStream(name, deltas) {
  const family = FAMILIES.find((known) => known === name) ?? "openai";
  const text = frame(TEXT[family]);
  yield OPENING[family].map(frame).join("");
  for (let sent = 0; sent < deltas; sent += DELTAS_PER_WRITE)
    yield text.repeat(Math.min(DELTAS_PER_WRITE, deltas - sent));
  yield CLOSING[family].map(frame).join("");
}
