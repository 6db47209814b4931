import type { SnapshotDelta } from "@switchyard/engine";
import { fieldText } from "./encode-value.ts";
import { type Change, PART_CHARACTERS, sliceChange } from "./slice-change.ts";

/** Change of one variable or message channel, with its name. */
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

/**
 * Collects JSON texts of changes and combines them into the JSON text of a delta, which contains all changes of a run's
 * key-value state (board).
 */
class DeltaText {
  // Texts are concatenated directly and not collected in an array. Most deltas have only one change, so its text is
  // copied only once.
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
 * Splits a delta (all changes of a run's key-value state) into JSON texts of smaller deltas. Applied in order, they
 * have the same effect. Yields at least one text. Calls `weigh` with the size of each change. Throws
 * `board.invalid_value` with the name.
 */
export function* sliceDelta(
  delta: SnapshotDelta,
  weigh: (change: NamedChange, characters: number) => void,
): Generator<string, void, undefined> {
  const collected = new DeltaText();
  for (const named of namedChanges(delta)) {
    let [pieces, characters] = [0, 0];
    for (const text of sliceChange(named.name, named.change)) {
      // A text can contain each variable only once, so the second part of a large change starts a new text.
      if (pieces > 0 || collected.isPart) yield collected.take();
      collected.add(named.room, fieldText(named.name, text));
      pieces += 1;
      characters += text.length;
    }
    weigh(named, characters);
  }
  yield collected.take();
}
