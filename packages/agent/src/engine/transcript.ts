import type { ToolResultPart, TranscriptMessage, TranscriptToolCall } from "@switchyard/contracts";
import type { AssistantTurn, Turn } from "../conversation/turn.ts";

function toEntryCall({ id, name, arguments: text }: AssistantTurn["toolCalls"][number]): TranscriptToolCall {
  return { id, name, arguments: text };
}

function toEntryOfResult(result: ToolResultPart, durationMs: number | null): TranscriptMessage {
  const { toolCallId, content, isError } = result;
  const entry = { call_id: toolCallId, status: isError ? ("error" as const) : ("ok" as const), content };
  return {
    role: "tool",
    content,
    tool_result: durationMs === null ? entry : { ...entry, duration_ms: durationMs },
  };
}

function toEntries(turn: Turn, number: number): TranscriptMessage[] {
  const { timestamp } = turn;
  switch (turn.type) {
    case "user":
    case "steering":
      return [{ role: "user", content: turn.content, timestamp }];
    case "system":
      return [{ role: "system", content: turn.content, timestamp }];
    case "assistant": {
      const entry: TranscriptMessage = { role: "assistant", content: turn.content, turn: number, timestamp };
      if (turn.toolCalls.length > 0) entry.tool_calls = turn.toolCalls.map(toEntryCall);
      return [entry];
    }
    case "tool_results":
      return turn.results.map((result, index) => {
        const entry = toEntryOfResult(result, turn.durationsMs?.[index] ?? null);
        return { ...entry, turn: number, timestamp };
      });
  }
}

/** Converts a conversation to the transcript of a result. See custom-engine: transcript contract. */
export function toTranscript(turns: readonly Turn[]): TranscriptMessage[] {
  const entries: TranscriptMessage[] = [];
  let number = 0;
  for (const turn of turns) {
    if (turn.type === "assistant") number += 1;
    entries.push(...toEntries(turn, number));
  }
  return entries;
}
