import type { IndexedRun } from "./run-index.ts";

/** Orders of a list. A leading `-` means descending. */
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

/** Place of a run in an order. Contract: no two runs have the same place. */
export interface RunPlace {
  /** Value by which the order sorts. `0` if it is unknown, and in orders by time of acceptance. */
  readonly value: number;
  /** Position by time of acceptance, which decides between equal values. */
  readonly position: string;
}

/** Returns the place of a run in an order. The duration of a run in progress is measured up to `nowMs`. */
export function placeInOrder({ record, position }: IndexedRun, order: RunOrder, nowMs: number): RunPlace {
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

/** Compares two places: negative if the left one comes first. Among equal values, newer runs come first. */
export function comparePlaces(left: RunPlace, right: RunPlace, order: RunOrder): number {
  const byValue = left.value - right.value;
  if (byValue !== 0) return order.startsWith("-") ? -byValue : byValue;
  const byTime = left.position < right.position ? 1 : left.position > right.position ? -1 : 0;
  return order === "created" ? -byTime : byTime;
}
