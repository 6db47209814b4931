import type { SnapshotDelta } from "@switchyard/engine";
import { encodeText, fieldText, isPlainObject } from "./encode-value.ts";

/** Change of one variable or message channel in a run's key-value state (board). */
export type Change = NonNullable<SnapshotDelta["vars"]>[string];
type ListChange = Extract<Change, { keep: number }>;
type ListChanges = Extract<Change, { changes: unknown }>;

/** Approximate number of characters in one part of a large change. The event loop can run after each part. */
export const PART_CHARACTERS: number = 256 * 1024;

/**
 * Maximum number of parts into which an object value is split. The number is small because the reader copies the object
 * for each part.
 */
const MAX_RECORD_PARTS = 8;

/** Collects JSON texts that together become one part of a large change. */
class Collected {
  readonly texts: string[] = [];
  #characters = 0;

  /** Adds a text. Returns true if the collected texts are longer than `PART_CHARACTERS` and must be taken. */
  add(text: string): boolean {
    this.texts.push(text);
    this.#characters += text.length + 1;
    return this.#characters > PART_CHARACTERS;
  }

  /** Removes the collected texts, and returns them separated by commas. */
  take(): string {
    this.#characters = 0;
    return this.texts.splice(0).join(",");
  }
}

function* listTexts(key: string, { keep, items, keepLast = 0 }: ListChange): Generator<string, void, undefined> {
  const collected = new Collected();
  const last = keepLast === 0 ? "" : `,"keepLast":${keepLast}`;
  let done = 0;
  for (const [index, item] of items.entries()) {
    if (!collected.add(encodeText(item, key)) && index < items.length - 1) continue;
    yield `{"keep":${keep + done},"items":[${collected.take()}]${last}}`;
    done = index + 1;
  }
  if (items.length === 0) yield `{"keep":${keep},"items":[]${last}}`;
}

function* scatteredTexts(key: string, { changes }: ListChanges): Generator<string, void, undefined> {
  const collected = new Collected();
  for (const change of changes) {
    for (const text of listTexts(key, change)) {
      if (collected.add(text)) yield `{"changes":[${collected.take()}]}`;
    }
  }
  if (collected.texts.length > 0) yield `{"changes":[${collected.take()}]}`;
}

function* recordTexts(key: string, record: Record<string, unknown>): Generator<string, void, undefined> {
  const collected = new Collected();
  const fields = Object.entries(record);
  const fewest = fields.length / MAX_RECORD_PARTS;
  let isBegun = false;
  for (const [name, value] of fields) {
    if (value === undefined) continue;
    const text = encodeText(value, key);
    // The first part sets the object; the others add fields to it.
    const isPart = collected.add(fieldText(name, isBegun ? `{"set":${text}}` : text));
    if (!isPart || collected.texts.length < fewest) continue;
    yield isBegun ? `{"fields":{${collected.take()}}}` : `{"set":{${collected.take()}}}`;
    isBegun = true;
  }
  if (!isBegun) yield `{"set":{${collected.take()}}}`;
  else if (collected.texts.length > 0) yield `{"fields":{${collected.take()}}}`;
}

function* setListTexts(key: string, items: readonly unknown[]): Generator<string, void, undefined> {
  let isBegun = false;
  for (const text of listTexts(key, { keep: 0, items })) {
    // The first part sets the list; the others append items to it.
    yield isBegun ? text : `{"set":${text.slice('{"keep":0,"items":'.length)}`;
    isBegun = true;
  }
}

/**
 * Splits a change into JSON texts of smaller changes. Applied in order, they have the same effect as the change. Each
 * text is about `PART_CHARACTERS` long, unless a single item or field is longer. Throws `board.invalid_value` with the
 * key, immediately or during iteration.
 */
export function sliceChange(key: string, change: Change): Iterable<string> {
  if ("items" in change) return listTexts(key, change);
  if ("changes" in change) return scatteredTexts(key, change);
  if ("set" in change && Array.isArray(change.set)) return setListTexts(key, change.set);
  if ("set" in change && typeof change.set === "object" && change.set !== null && isPlainObject(change.set)) {
    return recordTexts(key, change.set);
  }
  return [encodeText(change, key)];
}
