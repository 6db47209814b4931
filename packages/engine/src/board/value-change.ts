import { copyForReader, isObject, isPlainObject } from "./freeze-copy.ts";
import { changeOfList, isEqual, type ListChange, type ListChanges } from "./list-change.ts";
import { SharedList } from "./shared-list.ts";

/** A deletion. */
export interface Deleted {
  /** Always true. Distinguishes this change from the other kinds of changes. */
  readonly deleted: true;
}

/** A change of some fields of a record. */
export interface FieldsChange {
  /** Changes of the record's fields. The key is the name of the field. */
  readonly fields: Readonly<Record<string, ValueChange | Deleted>>;
}

/**
 * A change of a value on the board (shared run state): a new value, a list change, or a change of a record's fields.
 */
export type ValueChange = { readonly set: unknown } | ListChange | ListChanges | FieldsChange;

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
  return changes.length < names.size ? { fields: Object.fromEntries(changes) } : { set: copyForReader(after) };
}

/** Returns a record's own field. Inherited fields such as `constructor` are ignored. */
function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Returns the change that turns one stored value into another; `undefined` if both are equal. `undefined` as input
 * stands for a value that does not exist.
 */
export function changeOfValue(before: unknown, after: unknown): ValueChange | undefined {
  if (before === after) return undefined;
  // Strings are handled first, because they are the most common values and have no parts to compare.
  if (typeof after === "string") return { set: after };
  const [from, to] = [listOf(before), listOf(after)];
  if (from !== undefined && to !== undefined) {
    const change = changeOfList(from, to);
    return change !== undefined && "items" in change && change.items.length === to.length
      ? { set: change.items }
      : change;
  }
  if (isObject(before) && isObject(after) && isPlainObject(before) && isPlainObject(after)) {
    return changeOfFields(before, after);
  }
  if (isEqual(before, after)) return undefined;
  return { set: to === undefined ? copyForReader(after) : to.items() };
}
