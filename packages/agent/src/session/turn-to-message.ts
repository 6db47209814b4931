import { type Message, type Part, textMessage } from "@switchyard/contracts";
import type { AssistantTurn, Turn } from "./turn.ts";

function assistantMessage(turn: AssistantTurn): Message | undefined {
  if (turn.message !== undefined) return turn.message.parts.length === 0 ? undefined : turn.message;
  const parts: Part[] = [];
  if (turn.content !== "") parts.push({ type: "text", text: turn.content });
  parts.push(...turn.toolCalls);
  return parts.length === 0 ? undefined : { role: "assistant", parts };
}

/**
 * A turn as the model sees it; nothing for an empty answer, which providers refuse. Steering turns are user
 * messages. loop: §2.5 step 2 (convert_history_to_messages), §2.6.
 */
export function turnToMessage(turn: Turn): Message | undefined {
  switch (turn.type) {
    case "user":
    case "steering":
      return textMessage("user", turn.content);
    case "system":
      return textMessage("system", turn.content);
    case "assistant":
      return assistantMessage(turn);
    case "tool_results":
      return turn.results.length === 0 ? undefined : { role: "tool", parts: turn.results };
  }
}
