import { handOut, isObject, isPlainObject } from "./freeze-copy.ts";
import { changeOfList, isEqual, type ListChange, type ListChanges } from "./list-change.ts";
import { SharedList } from "./shared-list.ts";

/** It is gone. */
export interface Deleted {
  /** Tells it from a change. */
  readonly deleted: true;
}

/** A record of which only these fields are not what they were. */
export interface FieldsChange {
  /** What became of each of them. */
  readonly fields: Readonly<Record<string, ValueChange | Deleted>>;
}

/** What became of a value: another one, a list that has grown, or a record with other fields. */
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
  return changes.length < names.size ? { fields: Object.fromEntries(changes) } : { set: handOut(after) };
}

/** A record's own field: `constructor` and the like are no fields. */
function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** How a held value became another one; nothing when both are equal. A value that was not there is `undefined`. */
export function changeOfValue(before: unknown, after: unknown): ValueChange | undefined {
  if (before === after) return undefined;
  // Long texts are the commonest; nothing else about them needs a look.
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
  return { set: to === undefined ? handOut(after) : to.items() };
}
