import type { Message, Part, ToolCallPart } from "@switchyard/contracts";

/** What an answer says, part by part. */
export interface ReadAnswer {
  readonly content: string;
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly ToolCallPart[];
  /** Characters of all of it. */
  readonly size: number;
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === "tool_call";
}

function areCalls(parts: readonly Part[]): parts is readonly ToolCallPart[] {
  return parts.every(isCall);
}

/** The parts of an answer in one look at them. */
export function readAnswer({ parts }: Message): ReadAnswer {
  let content = "";
  let reasoning: string | undefined;
  let size = 0;
  // By index: an iteration takes memory for each element until V8 has optimized it.
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part?.type === "tool_call") {
      size += part.arguments.length;
    } else if (part?.type === "text") {
      content += part.text;
      size += part.text.length;
    } else if (part?.type === "thinking") {
      reasoning = (reasoning ?? "") + part.text;
      size += part.text.length;
    }
  }
  // Both lists stay in memory as long as the session, and mostly they are the same.
  return { content, reasoning, toolCalls: areCalls(parts) ? parts : parts.filter(isCall), size };
}
