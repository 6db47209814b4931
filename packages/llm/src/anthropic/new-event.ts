import { isRecord } from "../failure/error-info.ts";

const KNOWN: ReadonlySet<unknown> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
]);

/** Whether the AI SDK could not read an event of a new kind. Anthropic adds some and asks clients to pass over them. */
export function isNewEvent(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== "AI_TypeValidationError" || !("value" in error)) return false;
  const type = isRecord(error.value) ? error.value["type"] : undefined;
  return typeof type === "string" && !KNOWN.has(type);
}
