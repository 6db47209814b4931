import { type Message, type Part, textMessage } from "@switchyard/contracts";
import type { AssistantTurn, Turn, UserTurn } from "./turn.ts";

function isEmptyText(part: Part): boolean {
  return part.type === "text" && part.text.trim() === "";
}

function isReasoning({ type }: Part): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Providers refuse empty texts, and reasoning that nothing follows. */
function assistantMessage(turn: AssistantTurn): Message | undefined {
  const message: Message = turn.message ?? {
    role: "assistant",
    parts: [{ type: "text", text: turn.content }, ...turn.toolCalls],
  };
  const { parts } = message;
  const said = parts.some(isEmptyText) ? parts.filter((part) => !isEmptyText(part)) : parts;
  if (said.every(isReasoning)) return undefined;
  return said === parts ? message : { ...message, parts: said };
}

/** What stands for a message without text, which providers refuse. */
const EMPTY_MESSAGE = "(empty message)";

function plainMessage(role: "user" | "system", content: string): Message {
  return textMessage(role, content.trim() === "" ? EMPTY_MESSAGE : content);
}

/** The pictures come behind what is said about them. */
function userMessage({ content, images = [] }: UserTurn): Message {
  if (images.length === 0) return plainMessage("user", content);
  const text: Part[] = content.trim() === "" ? [] : [{ type: "text", text: content }];
  return { role: "user", parts: [...text, ...images] };
}

/**
 * A turn as the model sees it; nothing for an answer without text and calls. Steering turns are user messages. loop: §2.5 step 2 (convert_history_to_messages), §2.6.
 */
export function turnToMessage(turn: Turn): Message | undefined {
  switch (turn.type) {
    case "user":
      return userMessage(turn);
    case "steering":
      return plainMessage("user", turn.content);
    case "system":
      return plainMessage("system", turn.content);
    case "assistant":
      return assistantMessage(turn);
    case "tool_results":
      return turn.results.length === 0 ? undefined : { role: "tool", parts: turn.results };
  }
}
