import type { SnapshotDelta } from "@switchyard/engine";
import { fieldText } from "./encode-value.ts";
import { type Change, PART_CHARACTERS, sliceChange } from "./slice-change.ts";

/** A variable or a channel of a delta. */
export interface NamedChange {
  readonly room: "vars" | "channels";
  readonly name: string;
  readonly change: Change;
}

function* namedChanges(delta: SnapshotDelta): Generator<NamedChange, void, undefined> {
  for (const [name, change] of Object.entries(delta.vars ?? {})) yield { room: "vars", name, change };
  for (const [name, change] of Object.entries(delta.channels ?? {})) yield { room: "channels", name, change };
}

/** The texts of changes, until they become the text of a delta. */
class DeltaText {
  readonly #rooms: Readonly<Record<NamedChange["room"], string[]>> = { vars: [], channels: [] };
  #characters = 0;

  get isPart(): boolean {
    return this.#characters > PART_CHARACTERS;
  }

  add(room: "vars" | "channels", text: string): void {
    this.#rooms[room].push(text);
    this.#characters += text.length;
  }

  take(): string {
    const { vars, channels } = this.#rooms;
    this.#characters = 0;
    const rooms: string[] = [];
    if (vars.length > 0) rooms.push(`"vars":{${vars.splice(0).join(",")}}`);
    if (channels.length > 0) rooms.push(`"channels":{${channels.splice(0).join(",")}}`);
    return `{${rooms.join(",")}}`;
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
