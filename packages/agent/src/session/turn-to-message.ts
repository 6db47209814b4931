import { type Message, type Part, textMessage } from "@switchyard/contracts";
import type { AssistantTurn, ToolResultsTurn, Turn, UserTurn } from "./turn.ts";

function isEmptyText(part: Part): boolean {
  return part.type === "text" && part.text.trim() === "";
}

function isReasoning({ type }: Part): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** An answer as the model sees it; nothing for one without text and calls. Providers refuse empty texts, and reasoning that nothing follows. */
export function answerToMessage(turn: AssistantTurn): Message | undefined {
  const message: Message = turn.message ?? {
    role: "assistant",
    parts: [{ type: "text", text: turn.content }, ...turn.toolCalls],
  };
  const { parts } = message;
  let saysAnything = false;
  let hasEmptyText = false;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) continue;
    if (isEmptyText(part)) hasEmptyText = true;
    else if (!isReasoning(part)) saysAnything = true;
  }
  if (!saysAnything) return undefined;
  return hasEmptyText ? { ...message, parts: parts.filter((part) => !isEmptyText(part)) } : message;
}

/** The results of a round as the model sees them; nothing where there are none. */
export function resultsToMessage({ results }: ToolResultsTurn): Message | undefined {
  return results.length === 0 ? undefined : { role: "tool", parts: results };
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
      return answerToMessage(turn);
    case "tool_results":
      return resultsToMessage(turn);
  }
}
