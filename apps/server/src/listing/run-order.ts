import type { IndexedRun } from "./run-index.ts";

/** Sort orders for a list of runs. A leading `-` means descending. */
export const RUN_ORDERS = [
  "-created",
  "created",
  "-duration",
  "duration",
  "-cost",
  "cost",
  "-tokens",
  "tokens",
] as const;
/** Order of a list. */
export type RunOrder = (typeof RUN_ORDERS)[number];

/** Sort key of a run in a sort order. Contract: no two runs have the same key. */
export interface RunSortKey {
  /** Value by which the list is sorted. `0` if the value is unknown, or if the list is sorted by time of acceptance. */
  readonly value: number;
  /** Time of acceptance and run id. Determines the order of runs with equal values. */
  readonly position: string;
}

/** Returns the sort key of a run. The duration of an active run is measured up to `nowMs`. */
export function sortKeyOf({ record, position }: IndexedRun, order: RunOrder, nowMs: number): RunSortKey {
  const { started_at: startedAt, finished_at: finishedAt, usage } = record;
  switch (order) {
    case "-created":
    case "created":
      return { value: 0, position };
    case "-cost":
    case "cost":
      return { value: usage?.cost_micros ?? 0, position };
    case "-tokens":
    case "tokens":
      return { value: usage?.total_tokens ?? 0, position };
    case "-duration":
    case "duration": {
      if (startedAt === undefined) return { value: 0, position };
      const end = finishedAt === undefined ? nowMs : Date.parse(finishedAt);
      return { value: Math.max(0, end - Date.parse(startedAt)), position };
    }
  }
}

/** Compares two sort keys. Negative if the left run comes first. Of runs with equal values, the newer comes first. */
export function compareSortKeys(left: RunSortKey, right: RunSortKey, order: RunOrder): number {
  const byValue = left.value - right.value;
  if (byValue !== 0) return order.startsWith("-") ? -byValue : byValue;
  const byTime = left.position < right.position ? 1 : left.position > right.position ? -1 : 0;
  return order === "created" ? -byTime : byTime;
}
