import type { RunList, RunView } from "@switchyard/contracts";
import type { Caller } from "../guard/caller.ts";
import type { IndexedRun } from "./run-index.ts";
import { compareSortKeys, sortKeyOf } from "./run-order.ts";
import { isWanted, type RunQuery, toCursor } from "./run-query.ts";

/** Options of `listRuns`. */
export interface ListRunsOptions {
  /** Caller whose runs are listed. */
  readonly caller: Caller;
  /** Query for the page. */
  readonly query: RunQuery;
  /** Current time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Returns the representation of a run. */
  readonly toView: (run: IndexedRun) => RunView;
}

/** Returns a page of the runs that a caller may access. New runs do not shift later pages. */
export function listRuns(runs: readonly IndexedRun[], { caller, query, nowMs, toView }: ListRunsOptions): RunList {
  const { filter, limit, order, after } = query;
  const wanted = runs.filter((run) => isWanted(run, caller, filter));
  // The index is sorted by descending time, so only other orders need sorting.
  const keyed = wanted.map((run) => ({ run, sortKey: sortKeyOf(run, order, nowMs) }));
  if (order !== "-created") keyed.sort((left, right) => compareSortKeys(left.sortKey, right.sortKey, order));
  const from = after === undefined ? 0 : keyed.findIndex(({ sortKey }) => compareSortKeys(after, sortKey, order) < 0);
  const page = from < 0 ? [] : keyed.slice(from, from + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && from + page.length < keyed.length;
  return {
    runs: page.map(({ run }) => toView(run)),
    total: wanted.length,
    ...(hasMore ? { next_cursor: toCursor(last.sortKey) } : {}),
  };
}
