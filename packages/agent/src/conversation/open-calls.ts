import type { ToolCallPart } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import { missingResult } from "./repair-history.ts";
import type { Turn } from "./turn.ts";

/** Returns the tool calls of the last response if they have no results yet. */
export function openCallsOf(turns: readonly Turn[]): readonly ToolCallPart[] {
  const last = turns.at(-1);
  return last?.type === "assistant" ? last.toolCalls : [];
}

/**
 * Adds results for tool calls that will not be executed, so that the history stays valid. Calls inherited from an
 * earlier process get an unknown outcome, because they may have been executed there. See loop: §2.5, decision 11.
 */
export function addMissingResults(core: SessionCore): void {
  const calls = openCallsOf(core.conversation.turns);
  if (calls.length === 0) return;
  const outcome = core.hasInheritedCalls ? "unknown_outcome" : "cancelled";
  const results = calls.map((call) => missingResult(call, outcome));
  core.conversation.append({ type: "tool_results", results, timestamp: core.events.timestamp() });
}
