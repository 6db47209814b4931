import type { SnapshotDelta } from "@switchyard/engine";
import { fieldText } from "./encode-value.ts";
import { type Change, PART_CHARACTERS, sliceChange } from "./slice-change.ts";

/** Change of a named variable or channel. */
export interface NamedChange {
  readonly room: "vars" | "channels";
  readonly name: string;
  readonly change: Change;
}

function namedChanges(delta: SnapshotDelta): NamedChange[] {
  const changes: NamedChange[] = [];
  for (const [name, change] of Object.entries(delta.vars ?? {})) changes.push({ room: "vars", name, change });
  for (const [name, change] of Object.entries(delta.channels ?? {})) changes.push({ room: "channels", name, change });
  return changes;
}

/** Collects the JSON texts of changes and combines them into the JSON text of a delta (the changes of a board). */
class DeltaText {
  // The texts are concatenated as strings instead of collected in an array. Most deltas have only one change, so its
  // text is copied only once.
  #vars = "";
  #channels = "";

  get isPart(): boolean {
    return this.#vars.length + this.#channels.length > PART_CHARACTERS;
  }

  add(room: NamedChange["room"], text: string): void {
    if (room === "vars") this.#vars += this.#vars === "" ? text : `,${text}`;
    else this.#channels += this.#channels === "" ? text : `,${text}`;
  }

  take(): string {
    const vars = this.#vars === "" ? "" : `"vars":{${this.#vars}}`;
    const channels = this.#channels === "" ? "" : `"channels":{${this.#channels}}`;
    this.#vars = "";
    this.#channels = "";
    return `{${vars}${vars === "" || channels === "" ? "" : ","}${channels}}`;
  }
}

/**
 * Splits a delta (the changes of a board) into JSON texts of smaller deltas. Applied in order, they have the same
 * effect. Returns at least one. Calls `weigh` with the size of each change. Throws `board.invalid_value` with the name.
 */
export function* sliceDelta(
  delta: SnapshotDelta,
  weigh: (change: NamedChange, characters: number) => void,
): Generator<string, void, undefined> {
  const collected = new DeltaText();
  for (const named of namedChanges(delta)) {
    let [pieces, characters] = [0, 0];
    for (const text of sliceChange(named.name, named.change)) {
      // Each text may contain a variable only once, so the second part of a change starts a new text.
      if (pieces > 0 || collected.isPart) yield collected.take();
      collected.add(named.room, fieldText(named.name, text));
      pieces += 1;
      characters += text.length;
    }
    weigh(named, characters);
  }
  yield collected.take();
}
