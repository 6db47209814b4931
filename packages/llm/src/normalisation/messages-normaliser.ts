import { isRecord, jsonValue } from "../failure/error-info.ts";
import {
  asNumber,
  type JsonRecord,
  mapList,
  type Normaliser,
  type StreamNormaliser,
  withFields,
} from "./normaliser.ts";
import { messageEvents } from "./whole-as-events.ts";

/** Content block types that the AI SDK knows. All other types are newer, and Anthropic asks clients to ignore them. */
const BLOCKS =
  /^(?:text|thinking|redacted_thinking|compaction|tool_use|server_tool_use|mcp_tool_use|fallback|\w+_tool_result)$/;

function isKnownBlock(block: unknown): boolean {
  return !isRecord(block) || typeof block["type"] !== "string" || BLOCKS.test(block["type"]);
}

function withInput(block: JsonRecord): JsonRecord {
  const { input } = block;
  if (input === undefined || input === null) return withFields(block, { input: {} });
  const parsed = typeof input === "string" ? (input.trim() === "" ? {} : jsonValue(input)) : undefined;
  return isRecord(parsed) ? withFields(block, { input: parsed }) : block;
}

function withBlockFields(block: unknown): unknown {
  if (!isRecord(block)) return typeof block === "string" ? { type: "text", text: block } : block;
  if (block["type"] === "tool_use") return withInput(block);
  if (block["type"] === "thinking" && block["signature"] === undefined) return withFields(block, { signature: "" });
  return block["type"] === "text" && block["citations"] === null ? withFields(block, { citations: undefined }) : block;
}

function usageOf(usage: unknown): JsonRecord {
  const counts = isRecord(usage) ? usage : {};
  const { input_tokens: input, output_tokens: output } = counts;
  return withFields(counts, { input_tokens: asNumber(input) ?? 0, output_tokens: asNumber(output) ?? 0 });
}

function contentOf(content: unknown): unknown {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) return content;
  const known = content.filter(isKnownBlock);
  return mapList(known.length === content.length ? content : known, withBlockFields);
}

function normaliseResponse(response: JsonRecord): JsonRecord {
  const isMessage = response["type"] === "message" || (response["type"] === undefined && "content" in response);
  if (!isMessage) return response;
  return withFields(response, {
    type: "message",
    content: contentOf(response["content"]),
    usage: usageOf(response["usage"]),
  });
}

const SUSPECT = /message_start|message_delta|content_block_start/;

function event(data: JsonRecord): JsonRecord {
  const { type, message, usage, content_block: block } = data;
  if (type === "message_start" && isRecord(message)) {
    return withFields(data, { message: withFields(message, { usage: usageOf(message["usage"]) }) });
  }
  if (type === "message_delta") {
    const counts = isRecord(usage) ? usage : {};
    return withFields(data, { usage: withFields(counts, { output_tokens: asNumber(counts["output_tokens"]) ?? 0 }) });
  }
  return type === "content_block_start" ? withFields(data, { content_block: withBlockFields(block) }) : data;
}

const STREAM: StreamNormaliser = { isSuspect: (text) => SUSPECT.test(text), event };

/** Corrects responses in the format of Anthropic's Messages API that gateways send with deviations from that API. */
export const MESSAGES_NORMALISER: Normaliser = {
  response: normaliseResponse,
  events: (response) => messageEvents(normaliseResponse(response)),
  openStream: () => STREAM,
};
