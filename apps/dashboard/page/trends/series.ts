import type { RunStatisticsRow } from "@switchyard/contracts";
import type { Series } from "../controls/column-chart.tsx";

/** Totals of one engine. */
export interface EngineTotal {
  readonly engine: string;
  readonly runs: number;
  readonly completed: number;
  /** Number of runs that have ended. */
  readonly ended: number;
  readonly totalTokens: number;
  readonly costMicros: number;
  /** Number of runs whose cost is known. */
  readonly priced: number;
}

/** Maximum number of engines in a chart. The others are summed up. */
const MOST_SERIES = 6;
const OTHER_ENGINES = "other engines";

/** Returns the totals of each engine, those with most runs first. */
export function engineTotals(rows: readonly RunStatisticsRow[]): readonly EngineTotal[] {
  const totals = new Map<string, EngineTotal>();
  for (const row of rows) {
    const { engine } = row;
    const known = totals.get(engine);
    totals.set(engine, {
      engine,
      runs: (known?.runs ?? 0) + row.runs,
      completed: (known?.completed ?? 0) + row.completed,
      ended: (known?.ended ?? 0) + row.completed + row.not_completed,
      totalTokens: (known?.totalTokens ?? 0) + row.total_tokens,
      costMicros: (known?.costMicros ?? 0) + row.cost_micros,
      priced: (known?.priced ?? 0) + row.priced,
    });
  }
  return [...totals.values()].sort((left, right) => right.runs - left.runs);
}

/** Groups the rows by the engines of a chart, and then by day. */
function rowsByName(rows: readonly RunStatisticsRow[]): ReadonlyMap<string, readonly RunStatisticsRow[]> {
  const largest = new Set(
    engineTotals(rows)
      .slice(0, MOST_SERIES)
      .map(({ engine }) => engine),
  );
  const groups = new Map<string, RunStatisticsRow[]>();
  for (const row of rows) {
    const name = largest.has(row.engine) ? row.engine : OTHER_ENGINES;
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return groups;
}

function seriesOf(
  rows: readonly RunStatisticsRow[],
  days: readonly string[],
  dayValue: (ofDay: readonly RunStatisticsRow[]) => number | undefined,
): readonly Series[] {
  return [...rowsByName(rows)].map(([name, engineRows]) => ({
    name,
    values: days.map((day) => dayValue(engineRows.filter((row) => row.day === day))),
  }));
}

function sumOf(rows: readonly RunStatisticsRow[], amount: (row: RunStatisticsRow) => number): number {
  return rows.reduce((sum, row) => sum + amount(row), 0);
}

/** Returns the cost per day of each engine, in millionths of a US dollar. */
export function costSeries(rows: readonly RunStatisticsRow[], days: readonly string[]): readonly Series[] {
  return seriesOf(rows, days, (ofDay) => sumOf(ofDay, (row) => row.cost_micros));
}

/** Returns the fraction of ended runs per day that completed, for each engine. */
export function successSeries(rows: readonly RunStatisticsRow[], days: readonly string[]): readonly Series[] {
  return seriesOf(rows, days, (ofDay) => {
    const completed = sumOf(ofDay, (row) => row.completed);
    const ended = completed + sumOf(ofDay, (row) => row.not_completed);
    return ended === 0 ? undefined : completed / ended;
  });
}
