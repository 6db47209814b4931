import { isDeepStrictEqual } from "node:util";
import { handOut, isObject, isPlainObject } from "./freeze-copy.ts";
import { SharedList } from "./shared-list.ts";

/** It is gone. */
export interface Deleted {
  /** Tells it from a change. */
  readonly deleted: true;
}

/** A list whose first and last items stay and which has these between them. */
export interface ListChange<T = unknown> {
  /** How many items stay at the beginning. */
  readonly keep: number;
  /** What comes behind them. */
  readonly items: readonly T[];
  /** How many items stay at the end; none when it is absent. */
  readonly keepLast?: number | undefined;
}

/** A record of which only these fields are not what they were. */
export interface FieldsChange {
  /** What became of each of them. */
  readonly fields: Readonly<Record<string, ValueChange | Deleted>>;
}

/** What became of a value: another one, a list that has grown, or a record with other fields. */
export type ValueChange = { readonly set: unknown } | ListChange | FieldsChange;

function isEqual(before: unknown, after: unknown): boolean {
  // Parts that two states share are the same object, which is seen at once.
  return before === after || isDeepStrictEqual(before, after);
}

/** How a list became another one; what came of it is compared only where it was changed. */
export function changeOfList<T>(before: SharedList<T>, after: SharedList<T>): ListChange<T> {
  const shorter = Math.min(before.length, after.length);
  let [keep, end] = [shorter, 0];
  after.visitDifferences(before, (index, items) => {
    if (index >= shorter || isEqual(items.before, items.after)) return;
    keep = Math.min(keep, index);
    end = index + 1;
  });
  let keepLast = 0;
  if (before.length === after.length && keep < shorter) keepLast = shorter - end;
  else {
    while (
      keep + keepLast < shorter &&
      isEqual(before.at(before.length - 1 - keepLast), after.at(after.length - 1 - keepLast))
    )
      keepLast += 1;
  }
  const items = after.slice(keep, after.length - keepLast);
  return keepLast === 0 ? { keep, items } : { keep, items, keepLast };
}

/** Whether a list is the same after a change. */
export function changesNothing(change: ListChange, lengthBefore: number): boolean {
  return change.items.length === 0 && change.keep + (change.keepLast ?? 0) === lengthBefore;
}

function listOf(held: unknown): SharedList<unknown> | undefined {
  if (held instanceof SharedList) return held;
  return Array.isArray(held) ? SharedList.of<unknown>(held) : undefined;
}

function changeOfFields(before: Record<string, unknown>, after: Record<string, unknown>): ValueChange | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: [string, ValueChange | Deleted][] = [];
  for (const name of names) {
    const change = Object.hasOwn(after, name)
      ? changeOfValue(own(before, name), after[name])
      : ({ deleted: true } as const);
    if (change !== undefined) changes.push([name, change]);
  }
  if (changes.length === 0) return undefined;
  return changes.length < names.size ? { fields: Object.fromEntries(changes) } : { set: handOut(after) };
}

/** A record's own field: `constructor` and the like are no fields. */
function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** How a held value became another one; nothing when both are equal. A value that was not there is `undefined`. */
export function changeOfValue(before: unknown, after: unknown): ValueChange | undefined {
  if (before === after) return undefined;
  const [from, to] = [listOf(before), listOf(after)];
  if (from !== undefined && to !== undefined) {
    const change = changeOfList(from, to);
    if (changesNothing(change, from.length)) return undefined;
    return change.keep + (change.keepLast ?? 0) > 0 ? change : { set: change.items };
  }
  if (isObject(before) && isObject(after) && isPlainObject(before) && isPlainObject(after)) {
    return changeOfFields(before, after);
  }
  if (isDeepStrictEqual(before, after)) return undefined;
  return { set: to === undefined ? handOut(after) : to.items() };
}
