import { isRecord } from "../failure/error-info.ts";

const EVENTS: ReadonlySet<unknown> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
]);
/**
 * Kinds of content blocks that a response is built from, besides those that match `RESULTS`. Blocks of other kinds are not
 * part of the response's content and can be ignored.
 */
const BLOCKS: ReadonlySet<unknown> = new Set(["text", "thinking", "redacted_thinking", "tool_use", "server_tool_use"]);
const RESULTS = /_tool_(use|result)$/;
const DELTAS: ReadonlySet<unknown> = new Set(["text_delta", "thinking_delta", "signature_delta", "input_json_delta"]);

function typeOf(value: unknown): string | undefined {
  const type = isRecord(value) ? value["type"] : undefined;
  return typeof type === "string" ? type : undefined;
}

function isNewBlock(block: unknown): boolean {
  const type = typeOf(block);
  return type !== undefined && !BLOCKS.has(type) && !RESULTS.test(type);
}

function isNewDelta(delta: unknown): boolean {
  const type = typeOf(delta);
  return type !== undefined && !DELTAS.has(type);
}

/**
 * Returns whether the AI SDK failed to parse an event, content block or delta of an unknown kind. Anthropic adds new
 * kinds and asks clients to ignore them.
 */
export function isUnknownEvent(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== "AI_TypeValidationError" || !("value" in error)) return false;
  const { value } = error;
  const type = typeOf(value);
  if (!isRecord(value) || type === undefined) return false;
  if (type === "content_block_start") return isNewBlock(value["content_block"]);
  return type === "content_block_delta" ? isNewDelta(value["delta"]) : !EVENTS.has(type);
}
