import type { Part } from "./part.ts";

/** Role of a message's author. */
export type MessageRole = "system" | "developer" | "user" | "assistant" | "tool";

/**
 * In-memory form of a message of a model conversation. `SessionMessage` is its wire format. See engine: model.Message.
 */
export interface Message {
  /** Role of the author. */
  role: MessageRole;
  /** Content, in order. */
  parts: readonly Part[];
  /**
   * Provider and model that created an assistant message. Signatures in the message are sent only to this provider and
   * model.
   */
  origin?: { provider: string; model: string } | undefined;
}

/** Returns a message with one text part. */
export function textMessage(role: MessageRole, text: string): Message {
  return { role, parts: [{ type: "text", text }] };
}

/** Returns the joined texts of a message. */
export function textOf(message: { readonly parts: readonly Part[] }): string {
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += part.text;
  return text;
}
