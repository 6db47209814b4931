import type { Message, Part, ToolCallPart } from "@switchyard/contracts";

/** Content of a model response, separated into text, reasoning and tool calls. */
export interface ParsedResponse {
  readonly content: string;
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly ToolCallPart[];
  /** Number of characters of text, reasoning and tool calls. See loop: §5.5. */
  readonly size: number;
  /** The assistant's message as it appears in later requests. `undefined` if the response has no text and no calls. */
  readonly shown: Message | undefined;
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === "tool_call";
}

function areCalls(parts: readonly Part[], calls: number): parts is readonly ToolCallPart[] {
  return parts.length === calls;
}

function isEmptyText(part: Part): boolean {
  return part.type === "text" && part.text.trim() === "";
}

/** Returns a message without empty texts, which providers reject. */
function withoutEmptyTexts(message: Message): Message {
  return { ...message, parts: message.parts.filter((part) => !isEmptyText(part)) };
}

/** Parses the parts of a response in one pass. */
export function parseResponse(message: Message): ParsedResponse {
  const { parts } = message;
  let content = "";
  let reasoning: string | undefined;
  let size = 0;
  let calls = 0;
  let emptyTexts = 0;
  /** Number of reasoning parts. Providers reject a message that contains nothing after its reasoning. */
  let silent = 0;
  for (const part of parts) {
    if (part.type === "tool_call") {
      calls += 1;
      size += part.name.length + part.arguments.length;
    } else if (part.type === "text") {
      content += part.text;
      size += part.text.length;
      if (isEmptyText(part)) emptyTexts += 1;
    } else if (part.type === "thinking") {
      reasoning = (reasoning ?? "") + part.text;
      size += part.text.length;
      silent += 1;
    } else if (part.type === "redacted_thinking") {
      silent += 1;
    }
  }
  // Both arrays stay in memory for the whole session, so one array serves as both if all parts are calls.
  const toolCalls = areCalls(parts, calls) ? parts : parts.filter(isCall);
  const hasContent = silent + emptyTexts < parts.length;
  const cleaned = emptyTexts === 0 ? message : withoutEmptyTexts(message);
  return { content, reasoning, toolCalls, size, shown: hasContent ? cleaned : undefined };
}
