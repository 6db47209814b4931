import type { WireFormat } from "../model/wire-response.ts";

/** APIs of the hostile model server. `openai` is OpenAI's Responses API. */
export type ModelApi = "openai-chat" | WireFormat;

/** Returns the API that a request path belongs to. `undefined` for an unknown path. */
export function modelApiOf(path: string): ModelApi | undefined {
  if (/\/chat\/completions(?:\?|$)/.test(path)) return "openai-chat";
  if (/\/responses(?:\?|$)/.test(path)) return "openai";
  if (/\/messages(?:\?|$)/.test(path)) return "anthropic";
  return /:(?:streamG|g)enerateContent(?:\?|$)/.test(path) ? "gemini" : undefined;
}
