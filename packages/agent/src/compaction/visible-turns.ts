import type { CompactionMark, SteeringTurn, Turn } from "../conversation/turn.ts";

/** A turn with a compaction summary, which replaces earlier turns for the model. */
export interface SummaryTurn extends SteeringTurn {
  readonly compaction: CompactionMark;
}

/** Returns whether a turn is the summary of a compaction. */
export function isSummary(turn: Turn): turn is SummaryTurn {
  return turn.type === "steering" && turn.compaction !== undefined;
}

/**
 * Returns the index of the first turn that a compaction preserved. Preserved turns come directly before the summary.
 * Tool results and their calls are preserved together.
 */
function firstRetained(turns: readonly Turn[], summaryIndex: number, keptTurns: number): number {
  let first = summaryIndex;
  let remaining = keptTurns;
  for (let index = summaryIndex - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn === undefined || isSummary(turn)) continue;
    if (remaining <= 0 && turns[first]?.type !== "tool_results") break;
    first = index;
    remaining -= 1;
  }
  return first;
}

/**
 * Returns the turns of a history that the model sees. Without a compaction, these are all turns. Otherwise they are the
 * host's instructions, the last summary, the turns it preserved, and all later turns. The history itself is not
 * modified.
 */
export function visibleTurns(turns: readonly Turn[]): readonly Turn[] {
  const summaryIndex = turns.findLastIndex(isSummary);
  const summary = turns[summaryIndex];
  if (summary === undefined || !isSummary(summary)) return turns;
  const first = firstRetained(turns, summaryIndex, summary.compaction.keptTurns);
  return [
    ...turns.slice(0, first).filter(({ type }) => type === "system"),
    summary,
    ...turns.slice(first, summaryIndex).filter((turn) => !isSummary(turn)),
    ...turns.slice(summaryIndex + 1),
  ];
}
