// @ts-check

/** @import { Turn } from "@switchyard/agent" */
/** @import { BoardSnapshot, ToolResultPart, TranscriptMessage } from "@switchyard/contracts" */

/** Pattern of the variable that contains a subagent's turns. */
const TURNS = /^__subagent_turns\.(.+)$/;

/**
 * Returns the conversations of subagents in a checkpoint, by agent id.
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
 * Converts a turn to transcript messages.
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
