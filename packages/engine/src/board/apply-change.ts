import { freezeCopy, freezeItem, invalidValue, isObject, isPlainObject } from "./freeze-copy.ts";
import type { ListChange, ListChanges } from "./list-change.ts";
import { SharedList } from "./shared-list.ts";
import type { Deleted, ValueChange } from "./value-change.ts";

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Returns true if a change of a value on the board (shared run state) deletes the value. Throws `board.invalid_value`
 * if the change is invalid.
 */
export function isDeleted(change: ValueChange | Deleted, key: string): change is Deleted {
  // The type is checked at run time, because the change may have been read from a file.
  if (!isObject(change)) throw invalidValue(key, "a change is not an object");
  return "deleted" in change;
}

function listAfter<T>(list: SharedList<T>, change: ListChange<T>, key: string): SharedList<T> {
  if (!isObject(change)) throw invalidValue(key, "a change of a list is not an object");
  const { keep, items, keepLast = 0 } = change;
  if (!isCount(keep) || !isCount(keepLast) || keep + keepLast > list.length || !Array.isArray(items)) {
    throw invalidValue(key, `a change keeps ${keep} and ${keepLast} of ${list.length} items`);
  }
  const end = list.length - keepLast;
  // Items that keep their index are not touched. Items that move are removed and added again.
  const isInPlace = keep + items.length === end;
  let changed = isInPlace ? list : list.head(keep);
  for (const [index, item] of items.entries()) changed = changed.with(keep + index, freezeItem(item, key));
  if (isInPlace) return changed;
  for (const item of list.slice(end, list.length)) changed = changed.append(freezeItem(item, key));
  return changed;
}

/**
 * Applies a change to a list and returns the new list. Throws `board.invalid_value` if the change does not fit the
 * list.
 */
export function changedList<T>(
  list: SharedList<T>,
  change: ListChange<T> | ListChanges<T>,
  key: string,
): SharedList<T> {
  if (!("changes" in change)) return listAfter(list, change, key);
  if (!Array.isArray(change.changes)) throw invalidValue(key, "the changes of a list are not an array");
  let changed = list;
  for (const part of change.changes) changed = listAfter(changed, part, key);
  return changed;
}

function listOf(held: unknown, key: string): SharedList<unknown> {
  if (held instanceof SharedList) return held;
  if (Array.isArray(held)) return SharedList.of<unknown>(held);
  throw invalidValue(key, "a change of a list found none");
}

function isOfList(change: ValueChange): change is ListChange | ListChanges {
  return "items" in change || "changes" in change;
}

/** Returns a board value after a change, not yet frozen. Unchanged parts are shared with the old value. */
function changedPart(held: unknown, change: ValueChange, key: string): unknown {
  if ("set" in change) return change.set;
  if (isOfList(change)) return changedList(listOf(held, key), change, key).items();
  if (!("fields" in change) || !isObject(held) || !isPlainObject(held) || !isObject(change.fields)) {
    throw invalidValue(key, "a change of fields found no record");
  }
  const fields = new Map(Object.entries(held));
  for (const [name, fieldChange] of Object.entries(change.fields)) {
    if (isDeleted(fieldChange, key)) fields.delete(name);
    else fields.set(name, changedPart(fields.get(name), fieldChange, key));
  }
  return Object.fromEntries(fields);
}

/**
 * Returns a board variable's value after a change. Throws `board.invalid_value` if the change does not fit the value.
 */
export function changedVariable(held: unknown, change: ValueChange, key: string): unknown {
  if (isOfList(change)) return changedList(listOf(held, key), change, key);
  return freezeCopy(changedPart(held, change, key), key);
}
