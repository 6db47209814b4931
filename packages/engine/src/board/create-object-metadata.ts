/** Private notes on objects. */
export interface ObjectMetadata<T> {
  /** Adds a note to an object that has none. The object may be frozen afterwards. */
  put(object: object, note: T): void;
  /** Returns the note of an object; `undefined` if it has none. */
  of(object: object): T | undefined;
}

/** Returns an existing object from its constructor, so that a subclass adds its private fields to that object. */
class Bearer {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: there is no other way to put a private field on an object.
    return object;
  }
}

/**
 * Creates notes of one kind. They are private fields of the objects, which, unlike `WeakMap` entries, cost nothing in
 * garbage collection and need no hashing.
 */
export function createObjectMetadata<T>(): ObjectMetadata<T> {
  class Note extends Bearer {
    readonly #note: T;

    constructor(object: object, note: T) {
      super(object);
      this.#note = note;
    }

    static of(object: object): T | undefined {
      return #note in object ? object.#note : undefined;
    }
  }

  return {
    put: (object, note) => {
      new Note(object, note);
    },
    of: Note.of,
  };
}
