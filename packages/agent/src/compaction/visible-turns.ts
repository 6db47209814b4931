import type { CompactionMark, SteeringTurn, Turn } from "../conversation/turn.ts";

/** A turn that is the summary of what was before. */
export interface SummaryTurn extends SteeringTurn {
  readonly compaction: CompactionMark;
}

/** Whether a turn is the summary of a compaction. */
export function isSummary(turn: Turn): turn is SummaryTurn {
  return turn.type === "steering" && turn.compaction !== undefined;
}

/** Index of the first turn before the summary that is kept; results always stay with their calls. */
function firstKept(turns: readonly Turn[], summaryIndex: number, keptTurns: number): number {
  let first = summaryIndex;
  let left = keptTurns;
  for (let index = summaryIndex - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn === undefined || isSummary(turn)) continue;
    if (left <= 0 && turns[first]?.type !== "tool_results") break;
    first = index;
    left -= 1;
  }
  return first;
}

/**
 * The turns that the model sees of a history: all of them, or behind a compaction the host's instructions, the last
 * summary, the turns that it left as they are, and what came after it. The history itself stays whole.
 */
export function visibleTurns(turns: readonly Turn[]): readonly Turn[] {
  const summaryIndex = turns.findLastIndex(isSummary);
  const summary = turns[summaryIndex];
  if (summary === undefined || !isSummary(summary)) return turns;
  const first = firstKept(turns, summaryIndex, summary.compaction.keptTurns);
  return [
    ...turns.slice(0, first).filter(({ type }) => type === "system"),
    summary,
    ...turns.slice(first, summaryIndex).filter((turn) => !isSummary(turn)),
    ...turns.slice(summaryIndex + 1),
  ];
}
