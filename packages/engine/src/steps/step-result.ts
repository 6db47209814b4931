import { type Board, MAIN_CHANNEL, SESSION_RESULT, type SessionResult, textOf } from "@switchyard/contracts";

/**
 * Returns the result that the engine stored in the run's shared data (the board), or else the text of the last
 * assistant message. `undefined` if there is neither.
 */
export function stepResultOf(board: Board): SessionResult | undefined {
  const result = board.get(SESSION_RESULT);
  if (result !== undefined) return result;
  const last = board.channel(MAIN_CHANNEL).findLast(({ role }) => role === "assistant");
  return last === undefined ? undefined : { exit_code: 0, final_message: textOf(last) };
}
