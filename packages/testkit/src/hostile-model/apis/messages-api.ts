import { objectOf, parsedJson } from "../plain-json.ts";
import type { FramePart, ResponseCall, ResponseContent, ResponseEnding, WireFrame } from "../response-content.ts";

const REASONS: Readonly<Record<Exclude<ResponseEnding, "usual">, string>> = {
  ...{ stop: "end_turn", calls: "tool_use", length: "max_tokens", error: "end_turn", filter: "refusal" },
};

interface Block {
  readonly part: FramePart;
  readonly opening: object;
  readonly complete: object;
  readonly deltas: readonly object[];
}

function thinkingBlock({ reasoning }: ResponseContent): readonly Block[] {
  if (reasoning.length === 0) return [];
  const deltas = [
    ...reasoning.map((thinking) => ({ type: "thinking_delta", thinking })),
    { type: "signature_delta", signature: "c2lnbmVk" },
  ];
  const complete = { type: "thinking", thinking: reasoning.join(""), signature: "c2lnbmVk" };
  return [{ part: "reasoning", opening: { type: "thinking", thinking: "", signature: "" }, complete, deltas }];
}

function textBlock({ text }: ResponseContent): readonly Block[] {
  if (text.length === 0) return [];
  const deltas = text.map((piece) => ({ type: "text_delta", text: piece }));
  return [
    { part: "text", opening: { type: "text", text: "" }, complete: { type: "text", text: text.join("") }, deltas },
  ];
}

function callBlock({ id, name, pieces }: ResponseCall): Block {
  const opening = { type: "tool_use", id, name, input: {} };
  const deltas = pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  const input = objectOf(parsedJson(pieces.join("")));
  return { part: "arguments", opening, complete: { ...opening, input }, deltas };
}

function blocksOf(response: ResponseContent): readonly Block[] {
  return [...thinkingBlock(response), ...textBlock(response), ...response.calls.map(callBlock)];
}

function reasonOf({ end, calls }: ResponseContent): string | null {
  if (end === undefined) return null;
  return REASONS[end === "usual" ? (calls.length > 0 ? "calls" : "stop") : end];
}

/** Returns a complete response of Anthropic's Messages API. */
export function messagesBody(response: ResponseContent): object {
  return {
    ...{ id: response.id, type: "message", role: "assistant", model: response.model },
    content: blocksOf(response).map(({ complete }) => complete),
    ...{ stop_reason: reasonOf(response), stop_sequence: null },
    usage: { input_tokens: response.usage.inputTokens, output_tokens: response.usage.outputTokens },
  };
}

/** Returns the events of a streamed response of Anthropic's Messages API. */
export function messagesFrames(response: ResponseContent): readonly WireFrame[] {
  const { id, model, usage } = response;
  const frame = (part: FramePart, event: { readonly type: string }, more: Partial<WireFrame> = {}): WireFrame => ({
    ...{ part, event: event.type, data: JSON.stringify(event) },
    ...more,
  });
  const first = { input_tokens: usage.inputTokens, output_tokens: 1 };
  const message = { ...{ id, type: "message", role: "assistant", model, content: [] }, usage: first };
  const begun = { usage: { inputTokens: usage.inputTokens, outputTokens: 1 } };
  const content = blocksOf(response).flatMap(({ part, opening, deltas }, index) => [
    frame(part, { type: "content_block_start", ...{ index, content_block: opening } }),
    ...deltas.map((delta) => frame(part, { type: "content_block_delta", ...{ index, delta } })),
    frame(part, { type: "content_block_stop", ...{ index } }),
  ]);
  const opened = [frame("start", { type: "message_start", ...{ message } }, begun), ...content];
  const reason = reasonOf(response);
  if (reason === null) return opened;
  const delta = { stop_reason: reason, stop_sequence: null };
  const end = { type: "message_delta", ...{ delta, usage: { output_tokens: usage.outputTokens } } };
  return [...opened, frame("end", end, { usage, isRepeatable: true }), frame("end", { type: "message_stop" })];
}
