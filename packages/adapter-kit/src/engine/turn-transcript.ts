import type { AgentEvent, TranscriptMessage, TranscriptToolCall } from "@switchyard/contracts";

/** Maximum number of entries per turn. Further ones are dropped. */
const MAX_ENTRIES = 2_000;
/** Maximum number of characters of one tool's output. The rest is dropped. */
const MAX_OUTPUT_CHARS = 16 * 1024;

/** Collects the transcript of a turn. See custom-engine: transcript contract. */
export interface TurnTranscript {
  /** Adds an event. */
  add(event: AgentEvent): void;
  /** Returns the entries so far, in order. */
  entries(): TranscriptMessage[];
}

/** Creates the transcript of turn number `turn`, which begins with the prompt. */
export function createTurnTranscript(turn: number, prompt: string): TurnTranscript {
  const entries: TranscriptMessage[] = [{ role: "user", content: prompt, turn }];
  const push = (entry: TranscriptMessage): void => {
    if (entries.length < MAX_ENTRIES) entries.push({ ...entry, turn });
  };
  return {
    entries: () => [...entries],
    add({ type, timestamp, message = "", toolCallId = "", toolName = "", ...event }) {
      if (type === "assistant_text") push({ role: "assistant", content: message, timestamp });
      if (type === "tool_started") {
        const { toolArguments = {} } = event;
        const text = typeof toolArguments === "string" ? toolArguments : JSON.stringify(toolArguments);
        const call: TranscriptToolCall = { id: toolCallId, name: toolName, arguments: text };
        push({ role: "assistant", content: "", tool_calls: [call], timestamp });
      }
      if (type === "tool_result") {
        const content = message.slice(0, MAX_OUTPUT_CHARS);
        const status = event.toolError === true ? "error" : "ok";
        const duration = event.toolDurationMs === undefined ? {} : { duration_ms: event.toolDurationMs };
        push({ role: "tool", content, tool_result: { call_id: toolCallId, status, content, ...duration }, timestamp });
      }
    },
  };
}
