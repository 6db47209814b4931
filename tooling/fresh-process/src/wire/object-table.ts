import type { MemberName } from "./encoded.ts";

/** Origin of a value: an object of the other side, or a method of it. */
export interface Origin {
  readonly id: number;
  readonly method?: MemberName | undefined;
}

/** Table of the objects known to both sides. */
export class ObjectTable {
  readonly #numbers = new WeakMap<object, number>();
  readonly #own: object[] = [];
  readonly #origins = new WeakMap<object, Origin>();
  readonly #foreign = new Map<number, object>();

  /** Returns the number of a local object; the first one has 0. `onNew` is called if it had none before. */
  numberOf(object: object, onNew: (id: number) => void = () => {}): number {
    const known = this.#numbers.get(object);
    if (known !== undefined) return known;
    const id = this.#own.push(object) - 1;
    this.#numbers.set(object, id);
    onNew(id);
    return id;
  }

  /** Returns the local object with a number. */
  own(id: number): object {
    const object = this.#own[id];
    if (object === undefined) throw new RangeError(`Nothing was sent under the number ${id}.`);
    return object;
  }

  /** Returns the origin of a value. `undefined` for a local one. */
  originOf(object: object): Origin | undefined {
    return this.#origins.get(object);
  }

  /** Sets the origin of a value. */
  setOrigin<T extends object>(object: T, origin: Origin): T {
    this.#origins.set(object, origin);
    return object;
  }

  /** Returns the proxy of a remote object, creating it on first use. */
  foreign(id: number, make: () => object): object {
    const known = this.#foreign.get(id);
    if (known !== undefined) return known;
    const made = this.setOrigin(make(), { id });
    this.#foreign.set(id, made);
    return made;
  }
}
