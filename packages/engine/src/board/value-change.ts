import { isDeepStrictEqual } from "node:util";
import type { AppendList } from "./append-list.ts";
import { handOut, isObject, isPlainObject } from "./freeze-copy.ts";
import { ListVariable } from "./list-variable.ts";

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

function itemsChange<T>(before: readonly T[], after: readonly T[]): ListChange<T> {
  const shorter = Math.min(before.length, after.length);
  let keep = 0;
  while (keep < shorter && isEqual(before[keep], after[keep])) keep += 1;
  let keepLast = 0;
  while (keep + keepLast < shorter && isEqual(before[before.length - 1 - keepLast], after[after.length - 1 - keepLast]))
    keepLast += 1;
  const isWhole = keep + keepLast === 0;
  // Spread where it is long, as a slice of a frozen array is many times slower.
  const items = (isWhole ? [...after] : after.slice(keep, after.length - keepLast)).map((item) => handOut(item));
  return keepLast === 0 ? { keep, items } : { keep, items, keepLast };
}

/** How a list became another one; what came of it by appending is found without a look at what it had before. */
export function changeOfList<T>(before: AppendList<T>, after: AppendList<T>): ListChange<T> {
  if (!after.isKin(before)) return itemsChange(before.items(), after.items());
  const keep = Math.min(before.length, after.length);
  return { keep, items: after.tail(keep).map((item) => handOut(item)) };
}

/** Whether a list is the same after a change. */
export function changesNothing(change: ListChange, lengthBefore: number): boolean {
  return change.items.length === 0 && change.keep + (change.keepLast ?? 0) === lengthBefore;
}

function itemsOf(held: unknown): readonly unknown[] | undefined {
  if (held instanceof ListVariable) return held.list.items();
  return Array.isArray(held) ? held : undefined;
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

function changeBetweenLists(before: unknown, after: unknown): { change: ListChange; lengthBefore: number } | undefined {
  if (before instanceof ListVariable && after instanceof ListVariable) {
    return { change: changeOfList(before.list, after.list), lengthBefore: before.length };
  }
  const [from, to] = [itemsOf(before), itemsOf(after)];
  return from === undefined || to === undefined
    ? undefined
    : { change: itemsChange(from, to), lengthBefore: from.length };
}

/** How a held value became another one; nothing when both are equal. A value that was not there is `undefined`. */
export function changeOfValue(before: unknown, after: unknown): ValueChange | undefined {
  if (before === after) return undefined;
  const lists = changeBetweenLists(before, after);
  if (lists !== undefined) {
    const { change, lengthBefore } = lists;
    if (changesNothing(change, lengthBefore)) return undefined;
    return change.keep + (change.keepLast ?? 0) > 0 ? change : { set: change.items };
  }
  if (isObject(before) && isObject(after) && isPlainObject(before) && isPlainObject(after)) {
    return changeOfFields(before, after);
  }
  if (isDeepStrictEqual(before, after)) return undefined;
  return { set: after instanceof ListVariable ? after.items() : handOut(after) };
}
