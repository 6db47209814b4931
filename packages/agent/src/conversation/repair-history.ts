import type { ToolCallPart, ToolResultPart } from "@switchyard/contracts";
import type { AssistantTurn, ToolResultsTurn, Turn } from "./turn.ts";

/** Result that the model receives for a tool call that was never executed. */
export const CANCELLED_RESULT = "cancelled: this call was not carried out.";

/** Result that the model receives for a tool call whose outcome is unknown. */
export const UNKNOWN_OUTCOME_RESULT =
  "unknown_outcome: the session was interrupted while this call was running, so it is not known whether it took effect. Check before doing it again.";

/** Creates an error result for a call that has no result. See loop: §2.5, decision 11. */
export function missingResult(call: ToolCallPart, outcome: "cancelled" | "unknown_outcome"): ToolResultPart {
  const content = outcome === "cancelled" ? CANCELLED_RESULT : UNKNOWN_OUTCOME_RESULT;
  return { type: "tool_result", toolCallId: call.id, name: call.name, content, isError: true };
}

interface FoundResult {
  readonly result: ToolResultPart;
  readonly duration: number | null;
}

interface FoundResults {
  /**
   * Tool results by call id, in order. Each id has a list, because several calls of one response may have the same id.
   */
  byId: Map<string, FoundResult[]>;
  timestamp: string;
}

/** Collects the tool results between a response and the next response. */
function resultsAfter(history: readonly Turn[], index: number): FoundResults {
  const found: FoundResults = { byId: new Map(), timestamp: history[index]?.timestamp ?? "" };
  for (let next = index + 1; next < history.length; next += 1) {
    const turn = history[next];
    if (turn === undefined || turn.type === "assistant") break;
    if (turn.type !== "tool_results") continue;
    found.timestamp = turn.timestamp;
    turn.results.forEach((result, position) => {
      const same = found.byId.get(result.toolCallId) ?? [];
      found.byId.set(result.toolCallId, same);
      same.push({ result, duration: turn.durationsMs?.[position] ?? null });
    });
  }
  return found;
}

function resultsTurn(turn: AssistantTurn, found: FoundResults): ToolResultsTurn {
  const ownIds = turn.toolCalls.map(
    (call) => found.byId.get(call.id)?.shift() ?? { result: missingResult(call, "unknown_outcome"), duration: null },
  );
  const results = ownIds.map(({ result }) => result);
  const durationsMs = ownIds.map(({ duration }) => duration);
  const timing = durationsMs.some((duration) => duration !== null) ? { durationsMs } : {};
  return { type: "tool_results", results, ...timing, timestamp: found.timestamp };
}

/** Returns whether a turn contains exactly the results of a response's calls, in order. */
function isExact(turn: AssistantTurn, next: Turn | undefined): next is ToolResultsTurn {
  if (next?.type !== "tool_results" || next.results.length !== turn.toolCalls.length) return false;
  return turn.toolCalls.every((call, index) => next.results[index]?.toolCallId === call.id);
}

/**
 * Returns a history in which every response with tool calls is followed by one turn with exactly one result per call,
 * in order. Drops results without a call. A valid history is returned unchanged.
 */
export function pairResults(history: readonly Turn[]): Turn[] {
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

/** Returns the id if it is unique, or a unique id derived from it. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  if (id !== "" && !taken.has(id)) return id;
  const stem = id === "" ? "call" : id;
  let number = taken.size + 1;
  while (taken.has(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}

/**
 * Returns a copy of a response in which the calls have the given ids. The provider's original message gets the same
 * ids.
 */
function withIds(turn: AssistantTurn, ids: readonly string[]): AssistantTurn {
  const toolCalls = turn.toolCalls.map((call, index) => ({ ...call, id: ids[index] ?? call.id }));
  if (turn.message === undefined) return { ...turn, toolCalls };
  const remaining = [...ids];
  const parts = turn.message.parts.map((part) =>
    part.type === "tool_call" ? { ...part, id: remaining.shift() ?? part.id } : part,
  );
  return { ...turn, toolCalls, message: { ...turn.message, parts } };
}

/**
 * Renames calls whose id is empty or already used by an earlier call, together with their results. Some servers restart
 * the numbering of calls with every response.
 */
function withUniqueIds(history: Turn[]): Turn[] {
  const taken = new Set<string>();
  history.forEach((turn, index) => {
    if (turn.type !== "assistant") return;
    const ids = turn.toolCalls.map(({ id }) => {
      const free = freeId(id, taken);
      taken.add(free);
      return free;
    });
    if (turn.toolCalls.every(({ id }, position) => id === ids[position])) return;
    history[index] = withIds(turn, ids);
    const next = history[index + 1];
    if (next?.type !== "tool_results") return;
    const results = next.results.map((result, position) => ({
      ...result,
      toolCallId: ids[position] ?? result.toolCallId,
    }));
    history[index + 1] = { ...next, results };
  });
  return history;
}

/**
 * Returns a history that every provider accepts. A response with tool calls is followed by one turn with exactly one
 * result per call, in order. Results without a call are dropped, and call ids are unique. A valid history is returned
 * unchanged. See loop: §2.5, decision 11.
 */
export function repairHistory(history: readonly Turn[]): Turn[] {
  return withUniqueIds(pairResults(history));
}
