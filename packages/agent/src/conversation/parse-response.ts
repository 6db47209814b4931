import type { Message, Part, ToolCallPart } from "@switchyard/contracts";

/** What an answer says, part by part. */
export interface ParsedResponse {
  readonly content: string;
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly ToolCallPart[];
  /** Characters of all of it. loop: §5.5. */
  readonly size: number;
  /** The answer as the model is shown it again; nothing for one without text and calls. */
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

/** An answer without its empty texts, which providers refuse. */
function withoutEmptyTexts(message: Message): Message {
  return { ...message, parts: message.parts.filter((part) => !isEmptyText(part)) };
}

/** The parts of an answer in one look at them. */
export function parseResponse(message: Message): ParsedResponse {
  const { parts } = message;
  let content = "";
  let reasoning: string | undefined;
  let size = 0;
  let calls = 0;
  let emptyTexts = 0;
  /** Parts that providers refuse where nothing follows them, or at all. */
  let silent = 0;
  // By index: an iteration takes memory for each element until V8 has optimized it.
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part?.type === "tool_call") {
      calls += 1;
      size += part.name.length + part.arguments.length;
    } else if (part?.type === "text") {
      content += part.text;
      size += part.text.length;
      if (isEmptyText(part)) emptyTexts += 1;
    } else if (part?.type === "thinking") {
      reasoning = (reasoning ?? "") + part.text;
      size += part.text.length;
      silent += 1;
    } else if (part?.type === "redacted_thinking") {
      silent += 1;
    }
  }
  // Both lists stay in memory as long as the session, and mostly they are the same.
  const toolCalls = areCalls(parts, calls) ? parts : parts.filter(isCall);
  const saysAnything = silent + emptyTexts < parts.length;
  const whole = emptyTexts === 0 ? message : withoutEmptyTexts(message);
  return { content, reasoning, toolCalls, size, shown: saysAnything ? whole : undefined };
}
