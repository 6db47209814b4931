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
  durations: Map<string, number | null>;
  timestamp: string;
}

/** The results between one answer of the model and the next, the first one per call. */
function resultsAfter(history: readonly Turn[], index: number): FoundResults {
  const found: FoundResults = { byId: new Map(), durations: new Map(), timestamp: history[index]?.timestamp ?? "" };
  for (let next = index + 1; next < history.length; next += 1) {
    const turn = history[next];
    if (turn === undefined || turn.type === "assistant") break;
    if (turn.type !== "tool_results") continue;
    found.timestamp = turn.timestamp;
    turn.results.forEach((result, place) => {
      if (found.byId.has(result.toolCallId)) return;
      found.byId.set(result.toolCallId, result);
      found.durations.set(result.toolCallId, turn.durationsMs?.[place] ?? null);
    });
  }
  return found;
}

function resultsTurn(turn: AssistantTurn, found: FoundResults): ToolResultsTurn {
  const results = turn.toolCalls.map((call) => found.byId.get(call.id) ?? missingResult(call, "unknown_outcome"));
  const durationsMs = turn.toolCalls.map((call) => found.durations.get(call.id) ?? null);
  const timing = durationsMs.some((duration) => duration !== null) ? { durationsMs } : {};
  return { type: "tool_results", results, ...timing, timestamp: found.timestamp };
}

/** Whether a turn is exactly what belongs behind an answer. */
function isExact(turn: AssistantTurn, next: Turn | undefined): next is ToolResultsTurn {
  if (next?.type !== "tool_results" || next.results.length !== turn.toolCalls.length) return false;
  return turn.toolCalls.every((call, index) => next.results[index]?.toolCallId === call.id);
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
      const next = history[index + 1];
      repaired.push(isExact(turn, next) ? next : resultsTurn(turn, resultsAfter(history, index)));
    }
  });
  return repaired;
}
