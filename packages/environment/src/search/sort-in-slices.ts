import type { TimeSlicer } from "./time-slicer.ts";

/** Number of items that can be sorted in about a millisecond. Longer arrays are sorted in parts of this size. */
const SORTED_AT_ONCE = 2000;

/** Sorts an array without blocking the event loop for long: sorts short parts, then merges them. The sort is stable. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  turns: TimeSlicer,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += SORTED_AT_ONCE) {
    runs.push(items.slice(from, from + SORTED_AT_ONCE).sort(compare));
    if (turns.isOver()) await turns.next();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right = []] = runs.slice(at, at + 2);
      merged.push(right.length === 0 ? left : await merge({ left, right }, compare, turns));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  { left, right }: { left: readonly T[]; right: readonly T[] },
  compare: (one: T, other: T) => number,
  turns: TimeSlicer,
): Promise<T[]> {
  const merged: T[] = [];
  const rest = right.values();
  let next = rest.next();
  for (const item of left) {
    if (turns.isOver()) await turns.next();
    while (next.done !== true && compare(next.value, item) < 0) {
      merged.push(next.value);
      next = rest.next();
    }
    merged.push(item);
  }
  for (; next.done !== true; next = rest.next()) merged.push(next.value);
  return merged;
}
