import type { AssistantTurn, Turn } from "../conversation/turn.ts";
import { finishReasonOf } from "./finish-action.ts";

function isContinued(turn: AssistantTurn): boolean {
  const { unified, isPaused } = finishReasonOf(turn);
  return (unified === "length" && turn.toolCalls.length === 0) || isPaused === true;
}

/**
 * Returns the last text of the model. If the text was cut off and continued, includes all parts. Empty if there is
 * none.
 */
export function finalText(turns: readonly Turn[]): string {
  let index = turns.findLastIndex((turn) => turn.type === "assistant" && turn.content !== "");
  const last = turns[index];
  let text = last?.type === "assistant" ? last.content : "";
  for (index -= 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn?.type === "steering" && turn.compaction === undefined) continue;
    if (turn?.type !== "assistant" || !isContinued(turn)) break;
    text = turn.content + text;
  }
  return text;
}
