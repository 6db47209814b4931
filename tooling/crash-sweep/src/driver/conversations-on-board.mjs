// @ts-check

/** @import { Turn } from "@switchyard/agent" */
/** @import { BoardSnapshot, ToolResultPart, TranscriptMessage } from "@switchyard/contracts" */

/** Name of the variable that holds the turns of a subagent. */
const TURNS = /^__subagent_turns\.(.+)$/;

/**
 * The conversations of the subagents that a checkpoint holds, by the ids of the agents.
 * @param {BoardSnapshot | undefined} board
 * @returns {Record<string, TranscriptMessage[]>}
 */
export function conversationsOnBoard(board) {
  const found = Object.entries(board?.vars ?? {}).flatMap(([name, turns]) => {
    const [, agent] = TURNS.exec(name) ?? [];
    return agent === undefined || !Array.isArray(turns) ? [] : [{ agent, turns }];
  });
  found.sort((left, right) => (left.agent < right.agent ? -1 : 1));
  return Object.fromEntries(found.map(({ agent, turns }) => [agent, turns.flatMap(toMessages)]));
}

/**
 * A turn as a transcript tells it.
 * @param {Turn} turn
 * @returns {TranscriptMessage[]}
 */
function toMessages(turn) {
  if (turn.type === "tool_results") return turn.results.map(toResult);
  const { type, content } = turn;
  if (type !== "assistant") return [{ role: type === "system" ? "system" : "user", content }];
  if (turn.toolCalls.length === 0) return [{ role: "assistant", content }];
  const calls = turn.toolCalls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  return [{ role: "assistant", content, tool_calls: calls }];
}

/**
 * @param {ToolResultPart} result
 * @returns {TranscriptMessage}
 */
function toResult({ toolCallId, content, isError = false }) {
  return { role: "tool", content, tool_result: { call_id: toolCallId, status: isError ? "error" : "ok", content } };
}
