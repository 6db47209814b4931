import { type Message, type Part, textMessage } from "@switchyard/contracts";
import { type ParsedResponse, parseResponse } from "./parse-response.ts";
import type { AssistantTurn, ToolResultsTurn, Turn, UserTurn } from "./turn.ts";

/** Parses a model response that is stored in the history. */
export function parseAssistantTurn({ message, content, toolCalls }: AssistantTurn): ParsedResponse {
  return parseResponse(message ?? { role: "assistant", parts: [{ type: "text", text: content }, ...toolCalls] });
}

/** Converts the results of a round to a message. `undefined` if there are no results. */
export function resultsToMessage({ results }: ToolResultsTurn): Message | undefined {
  return results.length === 0 ? undefined : { role: "tool", parts: results };
}

/** Placeholder for a message without text, which providers reject. */
const EMPTY_MESSAGE = "(empty message)";

function plainMessage(role: "user" | "system", content: string): Message {
  return textMessage(role, content.trim() === "" ? EMPTY_MESSAGE : content);
}

/** Creates a user message in which images follow the text. */
function userMessage({ content, images = [] }: UserTurn): Message {
  if (images.length === 0) return plainMessage("user", content);
  const text: Part[] = content.trim() === "" ? [] : [{ type: "text", text: content }];
  return { role: "user", parts: [...text, ...images] };
}

/**
 * Converts a turn to a message. `undefined` for a response without text and calls. Steering turns become user messages.
 * See loop: §2.5 step 2 (convert_history_to_messages), §2.6.
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
      return parseAssistantTurn(turn).shown;
    case "tool_results":
      return resultsToMessage(turn);
  }
}
