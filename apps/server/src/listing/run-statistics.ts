import { type RunStatistics, type RunStatisticsRow, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { type Caller, maySee } from "../guard/caller.ts";
import type { IndexedRun } from "./run-index.ts";
import { isWanted, type RunFilter } from "./run-query.ts";

/** Maximum number of names in a list of engines or owners. */
const MAX_NAMES = 200;

/**
 * Returns statistics (number of runs, tokens and costs) of the runs that match a filter and that the caller may access.
 */
export function runStatistics(
  runs: readonly IndexedRun[],
  { caller, filter }: { readonly caller: Caller; readonly filter: RunFilter },
): RunStatistics {
  const rows = new Map<string, RunStatisticsRow>();
  const engines = new Set<string>();
  const owners = new Set<string>();
  for (const run of runs) {
    const { record } = run;
    if (!maySee(caller, record.owner)) continue;
    engines.add(record.engine);
    if (record.owner !== undefined) owners.add(record.owner);
    if (!isWanted(run, caller, filter)) continue;
    const day = record.created_at.slice(0, 10);
    const key = `${day} ${record.engine}`;
    const row = rows.get(key) ?? emptyRow(day, record.engine);
    rows.set(key, row);
    count(row, run);
  }
  const sorted = [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
  return { rows: sorted, engines: namesIn(engines), owners: namesIn(owners) };
}

function emptyRow(day: string, engine: string): RunStatisticsRow {
  return { day, engine, runs: 0, completed: 0, not_completed: 0, total_tokens: 0, cost_micros: 0, priced: 0 };
}

function count(row: RunStatisticsRow, { record: { status, usage } }: IndexedRun): void {
  row.runs += 1;
  if (status === "completed") row.completed += 1;
  else if (TERMINAL_RUN_STATUSES.includes(status)) row.not_completed += 1;
  row.total_tokens += usage?.total_tokens ?? 0;
  if (usage?.cost_micros === undefined) return;
  row.cost_micros += usage.cost_micros;
  row.priced += 1;
}

function namesIn(names: ReadonlySet<string>): string[] {
  return [...names].sort().slice(0, MAX_NAMES);
}
