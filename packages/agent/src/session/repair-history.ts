import type { ToolCallPart, ToolResultPart } from "@switchyard/contracts";
import type { AssistantTurn, ToolResultsTurn, Turn } from "./turn.ts";

/** What the model is told about a call that was never carried out. */
export const CANCELLED_RESULT = "cancelled: this call was not carried out.";

/** What the model is told about a call whose outcome nobody knows. */
export const UNKNOWN_OUTCOME_RESULT =
  "unknown_outcome: the session was interrupted while this call was running, so it is not known whether it took effect. Check before doing it again.";

/** A result for a call that has none. loop: §2.5, decision 11. */
export function missingResult(call: ToolCallPart, outcome: "cancelled" | "unknown_outcome"): ToolResultPart {
  const content = outcome === "cancelled" ? CANCELLED_RESULT : UNKNOWN_OUTCOME_RESULT;
  return { type: "tool_result", toolCallId: call.id, name: call.name, content, isError: true };
}

interface FoundResults {
  byId: Map<string, ToolResultPart>;
  timestamp: string;
}

/** The results between one answer of the model and the next, the first one per call. */
function resultsAfter(history: readonly Turn[], index: number): FoundResults {
  const found: FoundResults = { byId: new Map(), timestamp: history[index]?.timestamp ?? "" };
  for (let next = index + 1; next < history.length; next += 1) {
    const turn = history[next];
    if (turn === undefined || turn.type === "assistant") break;
    if (turn.type !== "tool_results") continue;
    found.timestamp = turn.timestamp;
    for (const result of turn.results)
      if (!found.byId.has(result.toolCallId)) found.byId.set(result.toolCallId, result);
  }
  return found;
}

function resultsTurn(turn: AssistantTurn, found: FoundResults): ToolResultsTurn {
  const results = turn.toolCalls.map((call) => found.byId.get(call.id) ?? missingResult(call, "unknown_outcome"));
  return { type: "tool_results", results, timestamp: found.timestamp };
}

/**
 * A history that every provider accepts: directly behind an answer with tool calls stands one turn with exactly
 * one result for each call, in order; results without a call are dropped. A valid history comes back unchanged.
 * loop: §2.5, decision 11.
 */
export function repairHistory(history: readonly Turn[]): Turn[] {
  const repaired: Turn[] = [];
  history.forEach((turn, index) => {
    if (turn.type === "tool_results") return;
    repaired.push(turn);
    if (turn.type === "assistant" && turn.toolCalls.length > 0) {
      repaired.push(resultsTurn(turn, resultsAfter(history, index)));
    }
  });
  return repaired;
}
