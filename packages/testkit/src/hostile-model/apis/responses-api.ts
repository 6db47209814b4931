import type { FramePart, ResponseCall, ResponseContent, TokenCount, WireFrame } from "../response-content.ts";

/** One output item of a response, and the stream events that report it. */
interface Item {
  readonly part: FramePart;
  /** The output item as reported when it begins, without content. */
  readonly opening: object;
  readonly item: object;
  readonly deltas: readonly ResponsesEvent[];
}

/** An event of a stream. */
interface ResponsesEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function usageOf({ inputTokens, outputTokens }: TokenCount): object {
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  };
}

function reasoningItem({ id: responseId, reasoning }: ResponseContent): readonly Item[] {
  if (reasoning.length === 0) return [];
  const id = `${responseId}_reasoning`;
  const opening = { type: "reasoning", id, summary: [], encrypted_content: "c2lnbmVk" };
  const text = reasoning.join("");
  const position = { item_id: id, summary_index: 0 };
  const deltas = [
    { type: "response.reasoning_summary_part.added", ...position, part: { type: "summary_text", text: "" } },
    ...reasoning.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...position, delta })),
    { type: "response.reasoning_summary_part.done", ...position, part: { type: "summary_text", text } },
  ];
  return [{ part: "reasoning", opening, item: { ...opening, summary: [{ type: "summary_text", text }] }, deltas }];
}

function messageItem({ id: responseId, text }: ResponseContent): readonly Item[] {
  if (text.length === 0) return [];
  const id = `${responseId}_message`;
  const opening = { type: "message", id, role: "assistant", status: "in_progress", content: [] };
  const content = [{ type: "output_text", text: text.join(""), annotations: [] }];
  const position = { item_id: id, content_index: 0 };
  const deltas = text.map((delta) => ({ type: "response.output_text.delta", ...position, delta }));
  return [{ part: "text", opening, item: { ...opening, status: "completed", content }, deltas }];
}

function callItem({ id: callId, name, pieces }: ResponseCall): Item {
  const id = `${callId}_item`;
  const opening = { type: "function_call", id, call_id: callId, name, arguments: "", status: "in_progress" };
  const text = pieces.join("");
  const deltas = [
    ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", item_id: id, delta })),
    { type: "response.function_call_arguments.done", item_id: id, arguments: text },
  ];
  return { part: "arguments", opening, item: { ...opening, arguments: text, status: "completed" }, deltas };
}

function itemsOf(response: ResponseContent): readonly Item[] {
  return [...reasoningItem(response), ...messageItem(response), ...response.calls.map(callItem)];
}

/** Returns a complete response of OpenAI's Responses API. The last event of a stream contains the same data. */
export function responsesBody(response: ResponseContent): object {
  const reason =
    response.end === "length" ? "max_output_tokens" : response.end === "filter" ? "content_filter" : undefined;
  const ended = reason === undefined ? "completed" : "incomplete";
  return {
    ...{ id: response.id, object: "response", created_at: 1, model: response.model },
    status: response.end === undefined ? "in_progress" : ended,
    incomplete_details: reason === undefined ? null : { reason },
    output: itemsOf(response).map(({ item }) => item),
    usage: usageOf(response.usage),
  };
}

/** Returns the events of a streamed response of OpenAI's Responses API. */
export function responsesFrames(response: ResponseContent): readonly WireFrame[] {
  const frames: WireFrame[] = [];
  const add = (part: FramePart, event: ResponsesEvent, more: Partial<WireFrame> = {}): void => {
    const data = JSON.stringify({ ...event, sequence_number: frames.length });
    frames.push({ part, event: event.type, data, ...more });
  };
  const begun = { id: response.id, object: "response", created_at: 1, model: response.model, status: "in_progress" };
  add("start", { type: "response.created", response: begun }, { isRepeatable: true });
  itemsOf(response).forEach(({ part, opening, item, deltas }, index) => {
    const position = { output_index: index };
    add(part, { type: "response.output_item.added", ...position, item: opening });
    for (const delta of deltas) add(part, { ...position, ...delta });
    add(part, { type: "response.output_item.done", ...position, item });
  });
  if (response.end === undefined) return frames;
  const type = response.end === "length" || response.end === "filter" ? "response.incomplete" : "response.completed";
  add("end", { type, response: responsesBody(response) }, { usage: response.usage, isRepeatable: true });
  return frames;
}
