import { isRecord } from "../failure/error-info.ts";
import type { JsonRecord } from "./normaliser.ts";

/** Converts a complete chat completion to stream events. The message becomes a single delta. */
export function chatEvents(response: JsonRecord): readonly string[] | undefined {
  return Array.isArray(response["choices"]) ? [JSON.stringify(response), "[DONE]"] : undefined;
}

/** Converts a complete Gemini response to stream events. The events have the same format as the response. */
export function geminiEvents(response: JsonRecord): readonly string[] | undefined {
  return Array.isArray(response["candidates"]) ? [JSON.stringify(response)] : undefined;
}

/** Converts an Anthropic message to events. */
export function messageEvents(message: JsonRecord): readonly string[] | undefined {
  const { content, stop_reason, stop_sequence, usage } = message;
  if (!Array.isArray(content)) return undefined;
  const blocks = content
    .filter(isRecord)
    .flatMap((block, index) => [
      { type: "content_block_start", index, content_block: { ...block, ...openingOf(block) } },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]);
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
  return events.map((event) => JSON.stringify(event));
}

/** Returns the initial fields of a content block. Deltas then fill the fields. */
function openingOf({ type }: JsonRecord): JsonRecord {
  if (type === "text") return { text: "" };
  if (type === "thinking") return { thinking: "", signature: "" };
  return type === "tool_use" ? { input: {} } : {};
}

function deltasOf(block: JsonRecord): readonly JsonRecord[] {
  const { type, text, thinking, signature, input } = block;
  if (type === "text") return [{ type: "text_delta", text }];
  if (type === "tool_use") return [{ type: "input_json_delta", partial_json: JSON.stringify(input) }];
  if (type !== "thinking") return [];
  return [
    { type: "thinking_delta", thinking },
    { type: "signature_delta", signature },
  ];
}

/** Converts a complete response of the Responses API to stream events. The response's items must have ids. */
export function responseEvents(response: JsonRecord): readonly JsonRecord[] | undefined {
  const { output, status } = response;
  if (!Array.isArray(output)) return undefined;
  const end = status === "incomplete" || status === "failed" ? status : "completed";
  return [
    { type: "response.created", response: { ...response, output: [] } },
    ...itemEvents(output),
    { type: `response.${end}`, response },
  ];
}

/** Converts output items of the Responses API to events. */
export function itemEvents(output: readonly unknown[]): readonly JsonRecord[] {
  return output.flatMap((item, index) => {
    if (!isRecord(item)) return [];
    const opening =
      item["type"] === "function_call" ? { arguments: "" } : item["type"] === "message" ? { content: [] } : {};
    return [
      { type: "response.output_item.added", output_index: index, item: { ...item, ...opening } },
      ...textEvents(item, index),
      { type: "response.output_item.done", output_index: index, item },
    ];
  });
}

function textEvents(item: JsonRecord, index: number): readonly JsonRecord[] {
  const { type, id, content, summary } = item;
  const at = { item_id: id, output_index: index };
  if (type === "reasoning" && Array.isArray(summary)) {
    return summary.filter(isRecord).flatMap(({ text }, part) => [
      { type: "response.reasoning_summary_part.added", ...at, summary_index: part },
      { type: "response.reasoning_summary_text.delta", ...at, summary_index: part, delta: text },
    ]);
  }
  if (type !== "message" || !Array.isArray(content)) return [];
  return content
    .filter(isRecord)
    .flatMap(({ type: kind, text }, part) =>
      kind === "output_text" ? [{ type: "response.output_text.delta", ...at, content_index: part, delta: text }] : [],
    );
}
