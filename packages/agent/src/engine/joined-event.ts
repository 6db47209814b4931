import type { SessionEvent } from "../session/session-event.ts";

/** Two neighbouring increments of one text as one; nothing where they are of different texts, or no increments. */
export function joinedEvent(last: SessionEvent, next: SessionEvent): SessionEvent | undefined {
  if (last.agentId !== next.agentId) return undefined;
  if (last.type === "assistant_text_delta" && next.type === "assistant_text_delta") {
    return { ...last, data: { type: "token", content: last.data.content + next.data.content } };
  }
  if (last.type === "reasoning_delta" && next.type === "reasoning_delta") {
    return { ...last, data: { content: last.data.content + next.data.content } };
  }
  if (last.type === "tool_call_output_delta" && next.type === "tool_call_output_delta") {
    if (last.data.tool_call_id !== next.data.tool_call_id) return undefined;
    return { ...last, data: { ...last.data, content: last.data.content + next.data.content } };
  }
  return undefined;
}
