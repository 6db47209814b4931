import type { Part } from "./part.ts";

/** Who speaks in a model message. */
export type MessageRole = "system" | "developer" | "user" | "assistant" | "tool";

/** A model message in process; the wire has `SessionMessage`. engine: model.Message. */
export interface Message {
  /** Who speaks. */
  role: MessageRole;
  /** What is said, in order. */
  parts: readonly Part[];
  /** Provider and model that made an assistant message; its signatures are dropped for any other. */
  origin?: { provider: string; model: string } | undefined;
}

/** A message of one text. */
export function textMessage(role: MessageRole, text: string): Message {
  return { role, parts: [{ type: "text", text }] };
}

/** The texts of a message or an answer, joined. */
export function textOf(message: { readonly parts: readonly Part[] }): string {
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += part.text;
  return text;
}
