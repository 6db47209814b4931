import { chatBody, chatFrames } from "./apis/chat-api.ts";
import { geminiBody, geminiFrames } from "./apis/gemini-api.ts";
import { messagesBody, messagesFrames } from "./apis/messages-api.ts";
import { responsesBody, responsesFrames } from "./apis/responses-api.ts";
import type { ModelApi } from "./model-api.ts";
import type { ResponseContent, WireFrame } from "./response-content.ts";

/** Functions that convert a response to an API's format. */
interface ResponseWriter {
  readonly body: (content: ResponseContent) => object;
  readonly frames: (content: ResponseContent) => readonly WireFrame[];
}

const WRITERS: Readonly<Record<ModelApi, ResponseWriter>> = {
  "openai-chat": { body: chatBody, frames: chatFrames },
  openai: { body: responsesBody, frames: responsesFrames },
  anthropic: { body: messagesBody, frames: messagesFrames },
  gemini: { body: geminiBody, frames: geminiFrames },
};

/** Returns a response in an API's format: the events of a stream, or a single entry with the complete body. */
export function wireFrames(api: ModelApi, content: ResponseContent, isStreamed: boolean): readonly WireFrame[] {
  const writer = WRITERS[api];
  if (isStreamed) return writer.frames(content);
  return [{ part: "end", data: JSON.stringify(writer.body(content)), usage: content.usage }];
}

const SERVER_KINDS: Readonly<Record<ModelApi, string>> = {
  ...{ "openai-chat": "server_error", openai: "server_error", anthropic: "overloaded_error", gemini: "UNAVAILABLE" },
};

/** Returns an error response in the format of an API. */
export function wireError(api: ModelApi, status: number, message: string): object {
  const kind = status < 500 && status !== 429 && status !== 408 ? "invalid_request_error" : SERVER_KINDS[api];
  if (api === "gemini") return { error: { code: status, message, status: kind } };
  return api === "anthropic"
    ? { type: "error", error: { type: kind, message } }
    : { error: { message, type: kind, code: null } };
}

/** Returns the event with which a stream of an API reports a failed response. */
export function wireErrorFrame(api: ModelApi, message: string): WireFrame {
  const error = wireError(api, 503, message);
  if (api === "anthropic") return { part: "end", event: "error", data: JSON.stringify(error) };
  if (api !== "openai") return { part: "end", data: JSON.stringify(error) };
  const event = { type: "error", ...{ code: "server_error", message, param: null } };
  return { part: "end", event: "error", data: JSON.stringify(event) };
}
