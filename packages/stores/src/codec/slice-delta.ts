import type { SnapshotDelta } from "@switchyard/engine";
import { fieldText } from "./encode-value.ts";
import { type Change, PART_CHARACTERS, sliceChange } from "./slice-change.ts";

/** A variable or a channel of a delta. */
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

/** The texts of changes, until they become the text of a delta. */
class DeltaText {
  // Joined as they come: most deltas have one change, which is then copied only once, when it becomes bytes.
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
 * A delta as the JSON texts of deltas that lead to the same one after the other, each about a part long; there is
 * always a last one. `weigh` is told what each change takes. Throws `board.invalid_value` with the name.
 */
export function* sliceDelta(
  delta: SnapshotDelta,
  weigh: (change: NamedChange, characters: number) => void,
): Generator<string, void, undefined> {
  const collected = new DeltaText();
  for (const named of namedChanges(delta)) {
    let [pieces, characters] = [0, 0];
    for (const text of sliceChange(named.name, named.change)) {
      // One text names a variable once.
      if (pieces > 0 || collected.isPart) yield collected.take();
      collected.add(named.room, fieldText(named.name, text));
      pieces += 1;
      characters += text.length;
    }
    weigh(named, characters);
  }
  yield collected.take();
}
