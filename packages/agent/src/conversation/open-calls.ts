import type { ToolCallPart } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import { missingResult } from "./repair-history.ts";
import type { Turn } from "./turn.ts";

/** Returns the calls of the last response while none of them has a result. */
export function openCallsOf(turns: readonly Turn[]): readonly ToolCallPart[] {
  const last = turns.at(-1);
  return last?.type === "assistant" ? last.toolCalls : [];
}

/**
 * Adds results for the last response's calls that will not run, so that the history stays valid. Calls of an earlier
 * process may have run. loop: §2.5, decision 11.
 */
export function addMissingResults(core: SessionCore): void {
  const calls = openCallsOf(core.conversation.turns);
  if (calls.length === 0) return;
  const outcome = core.hasInheritedCalls ? "unknown_outcome" : "cancelled";
  const results = calls.map((call) => missingResult(call, outcome));
  core.conversation.append({ type: "tool_results", results, timestamp: core.events.timestamp() });
}
