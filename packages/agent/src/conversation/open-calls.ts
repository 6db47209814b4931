import type { ToolCallPart } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import { missingResult } from "./repair-history.ts";
import type { Turn } from "./turn.ts";

/** The calls of the last answer while none of them has a result. */
export function openCallsOf(turns: readonly Turn[]): readonly ToolCallPart[] {
  const last = turns.at(-1);
  return last?.type === "assistant" ? last.toolCalls : [];
}

/**
 * Answers the calls of the last answer that will not run, so that the history stays valid. Only those of an earlier
 * process may have run there. loop: §2.5, decision 11.
 */
export function addMissingResults(core: SessionCore): void {
  const calls = openCallsOf(core.conversation.turns);
  if (calls.length === 0) return;
  const outcome = core.hasInheritedCalls ? "unknown_outcome" : "cancelled";
  const results = calls.map((call) => missingResult(call, outcome));
  core.conversation.append({ type: "tool_results", results, timestamp: core.events.timestamp() });
}
