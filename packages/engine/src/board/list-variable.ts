import { AppendList } from "./append-list.ts";
import { handOut, holdsChangeables } from "./freeze-copy.ts";

/** A list variable that has been appended to. */
export class ListVariable {
  /** Its frozen items. */
  readonly list: AppendList<unknown>;
  // Whether items must be copied when they are read.
  readonly #changeable: boolean;

  private constructor(list: AppendList<unknown>, changeable: boolean) {
    this.list = list;
    this.#changeable = changeable;
  }

  /** A list variable with the items of a list that a board has frozen. */
  static of(items: readonly unknown[]): ListVariable {
    return new ListVariable(AppendList.of(items), holdsChangeables(items));
  }

  /** How many items it has. */
  get length(): number {
    return this.list.length;
  }

  /** The variable with one item more. */
  append(item: unknown): ListVariable {
    return new ListVariable(this.list.append(item), this.#changeable || holdsChangeables(item));
  }

  /** The variable with the first item that matches replaced; nothing when there is none. */
  replaceFirst(matches: (item: unknown) => boolean, replace: (item: unknown) => unknown): ListVariable | undefined {
    const index = this.list.findIndex(this.#changeable ? (held) => matches(handOut(held)) : matches);
    if (index === -1) return undefined;
    const item = replace(this.#handOut(this.list.at(index)));
    return new ListVariable(this.list.with(index, item), this.#changeable || holdsChangeables(item));
  }

  /** The variable without all but the first items. */
  head(length: number): ListVariable {
    return new ListVariable(this.list.head(length), this.#changeable);
  }

  /** The frozen items from this one on. */
  tail(from: number): readonly unknown[] {
    return this.list.tail(from);
  }

  /** The items as they may be handed out. */
  items(): readonly unknown[] {
    const items = this.list.items();
    return this.#changeable ? Object.freeze(items.map((item) => handOut(item))) : items;
  }

  #handOut(item: unknown): unknown {
    return this.#changeable ? handOut(item) : item;
  }
}
