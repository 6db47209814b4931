import type { CompactionMark, SteeringTurn, Turn } from "../conversation/turn.ts";

/** Turn that summarises earlier turns. */
export interface SummaryTurn extends SteeringTurn {
  readonly compaction: CompactionMark;
}

/** Returns true if a turn is the summary of a compaction. */
export function isSummary(turn: Turn): turn is SummaryTurn {
  return turn.type === "steering" && turn.compaction !== undefined;
}

/** Returns the index of the first kept turn before the summary. Results stay with their calls. */
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
 * Returns the turns that the model sees. After a compaction: the host's instructions, the last summary, the turns that
 * it kept, and later turns. The history itself is unchanged.
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
