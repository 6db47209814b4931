import { isDeepStrictEqual } from "node:util";
import type { SharedList } from "./shared-list.ts";

/** A replacement of the middle part of a list. */
export interface ListChange<T = unknown> {
  /** Number of unchanged items at the beginning. */
  readonly keep: number;
  /** Items that are inserted after the unchanged beginning. */
  readonly items: readonly T[];
  /** Number of unchanged items at the end. Default: 0. */
  readonly keepLast?: number | undefined;
}

/** Several changes of one list, for lists that changed at several distant positions. */
export interface ListChanges<T = unknown> {
  /** Changes to apply in order. */
  readonly changes: readonly ListChange<T>[];
}

/** Range of changed items. The indexes refer to the list after the change. */
interface Range {
  readonly from: number;
  to: number;
}

/**
 * Returns true if two frozen values are equal. Parts that both values share are the same object, so comparing them
 * takes no time.
 */
export function isEqual(before: unknown, after: unknown): boolean {
  return before === after || isDeepStrictEqual(before, after);
}

/** Returns the size, in items, of a delta that consists of the given ranges. */
function weightOf(ranges: readonly Range[]): number {
  return ranges.reduce((weight, { from, to }) => weight + 1 + to - from, 0);
}

/** Returns the ranges where two lists differ, up to the length of the shorter one. */
function differingRanges<T>(before: SharedList<T>, after: SharedList<T>): readonly Range[] {
  const shorter = Math.min(before.length, after.length);
  const ranges: Range[] = [];
  after.visitDifferences(before, (index, items) => {
    if (index >= shorter || isEqual(items.before, items.after)) return;
    const last = ranges.at(-1);
    if (last?.to === index) last.to += 1;
    else ranges.push({ from: index, to: index + 1 });
  });
  return ranges;
}

/**
 * Returns one range that covers all changes. If both lists have the same length, the range ends where the last given
 * range ends. Otherwise, it ends before the items that are equal at the end of both lists.
 */
function rangeRound<T>(ranges: readonly Range[], before: SharedList<T>, after: SharedList<T>): Range {
  const shorter = Math.min(before.length, after.length);
  const from = ranges[0]?.from ?? shorter;
  if (before.length === after.length) return { from, to: ranges.at(-1)?.to ?? from };
  let last = 0;
  while (from + last < shorter && isEqual(before.at(before.length - 1 - last), after.at(after.length - 1 - last))) {
    last += 1;
  }
  return { from, to: after.length - last };
}

/**
 * Returns the changes that turn one list into another. `undefined` if both are equal. Shared parts are skipped, so the
 * cost depends only on the size of the change.
 */
export function changeOfList<T>(
  before: SharedList<T>,
  after: SharedList<T>,
): ListChange<T> | ListChanges<T> | undefined {
  const shorter = Math.min(before.length, after.length);
  const inPlace = differingRanges(before, after);
  // The change of the list's length is applied first, because the indexes of the other changes refer to the new length.
  const scattered = before.length === after.length ? inPlace : [{ from: shorter, to: after.length }, ...inPlace];
  const round = [rangeRound(inPlace, before, after)];
  const ranges = weightOf(round) <= weightOf(scattered) ? round : scattered;
  const [first, ...others] = ranges.map(({ from, to }) => ({
    keep: from,
    items: after.slice(from, to),
    ...(to < after.length ? { keepLast: after.length - to } : {}),
  }));
  return first === undefined || others.length === 0 ? first : { changes: [first, ...others] };
}
