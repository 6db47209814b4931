import type { MemberName } from "./encoded.ts";

/** Whose a value is: the other side's object of that number, or a method of it. */
export interface Origin {
  readonly id: number;
  readonly method?: MemberName | undefined;
}

/** What the two sides know of each other's objects. */
export class ObjectTable {
  readonly #numbers = new WeakMap<object, number>();
  readonly #own: object[] = [];
  readonly #origins = new WeakMap<object, Origin>();
  readonly #foreign = new Map<number, object>();

  /** The number of an object of this side; the first one has 0. `onNew` is called when it had none before. */
  numberOf(object: object, onNew: (id: number) => void = () => {}): number {
    const known = this.#numbers.get(object);
    if (known !== undefined) return known;
    const id = this.#own.push(object) - 1;
    this.#numbers.set(object, id);
    onNew(id);
    return id;
  }

  /** The object of this side with that number. */
  own(id: number): object {
    const object = this.#own[id];
    if (object === undefined) throw new RangeError(`Nothing was sent under the number ${id}.`);
    return object;
  }

  /** Whose a value is; nothing for one of this side. */
  originOf(object: object): Origin | undefined {
    return this.#origins.get(object);
  }

  /** Says whose a value is. */
  setOrigin<T extends object>(object: T, origin: Origin): T {
    this.#origins.set(object, origin);
    return object;
  }

  /** What stands for the other side's object of that number, made on first sight. */
  foreign(id: number, make: () => object): object {
    const known = this.#foreign.get(id);
    if (known !== undefined) return known;
    const made = this.setOrigin(make(), { id });
    this.#foreign.set(id, made);
    return made;
  }
}
