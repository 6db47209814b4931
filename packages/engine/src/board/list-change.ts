import { isDeepStrictEqual } from "node:util";
import type { SharedList } from "./shared-list.ts";

/** A list whose first and last items stay and which has these between them. */
export interface ListChange<T = unknown> {
  /** How many items stay at the beginning. */
  readonly keep: number;
  /** What comes behind them. */
  readonly items: readonly T[];
  /** How many items stay at the end; none when it is absent. */
  readonly keepLast?: number | undefined;
}

/** A list that was changed in places far from each other. */
export interface ListChanges<T = unknown> {
  /** The changes that lead to it one after the other. */
  readonly changes: readonly ListChange<T>[];
}

/** Places in the later list whose items were not there before. */
interface Range {
  readonly from: number;
  to: number;
}

/** Whether two frozen values are the same. Parts that two states share are one object, which is seen at once. */
export function isEqual(before: unknown, after: unknown): boolean {
  return before === after || isDeepStrictEqual(before, after);
}

/** What the delta of some ranges takes, counted in items. */
function weightOf(ranges: readonly Range[]): number {
  return ranges.reduce((weight, { from, to }) => weight + 1 + to - from, 0);
}

/** Where lists differ, as far as the shorter one goes. */
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

/** The one range round all of them; items that moved with the end of the list are not in it. */
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
 * How a list became another one; nothing when both are equal. What they share is passed over, so that it costs as much
 * as what was changed.
 */
export function changeOfList<T>(
  before: SharedList<T>,
  after: SharedList<T>,
): ListChange<T> | ListChanges<T> | undefined {
  const shorter = Math.min(before.length, after.length);
  const inPlace = differingRanges(before, after);
  // First of all the list gets its length, so that all others are in their places.
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
