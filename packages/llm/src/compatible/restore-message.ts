import type { JSONObject } from "@ai-sdk/provider";
import type { AssistantMessage } from "../provider/dialect.ts";
import { isJsonObject } from "../request/plain-data.ts";

const NAMESPACE = "openaiCompatible";

/** Returns the part of a tool call's metadata to send back to the API: Gemini's signature, in its original field. */
export function callFields(metadata: JSONObject): JSONObject | undefined {
  const { extra_content: extra, thoughtSignature: signature } = metadata;
  if (isJsonObject(extra)) return { extra_content: extra };
  // `thoughtSignature` is the AI SDK's name for the field.
  return typeof signature === "string" ? { extra_content: { google: { thought_signature: signature } } } : undefined;
}

/** Returns message content in Mistral's format, in which the content includes thinking. */
function contentOf(thoughts: string, text: string): JSONObject[] {
  const thinking = { type: "thinking", thinking: [{ type: "text", text: thoughts }] };
  return text === "" ? [thinking] : [thinking, { type: "text", text }];
}

/** Returns a message with its thinking in the server's own field, and with opaque data unchanged. */
export function restoreMessage(message: AssistantMessage): AssistantMessage {
  const thoughts = message.content.filter((part) => part.type === "reasoning");
  const stored = thoughts.map((part) => part.providerOptions?.[NAMESPACE]).find(isJsonObject);
  if (stored === undefined) return message;
  const { field, ...fields } = stored;
  const text = thoughts.map((part) => part.text).join("");
  const others = message.content.filter((part) => part.type !== "reasoning");
  const joined = others.map((part) => (part.type === "text" ? part.text : "")).join("");
  const restored: JSONObject = { ...fields };
  if (field === "content") restored["content"] = contentOf(text, joined);
  else if (field === "reasoning" || field === "reasoning_content") restored[field] = text;
  const content = field === undefined ? message.content : others;
  const providerOptions = {
    ...message.providerOptions,
    [NAMESPACE]: { ...message.providerOptions?.[NAMESPACE], ...restored },
  };
  return { ...message, content, providerOptions };
}
