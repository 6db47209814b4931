/** Attaches private metadata to objects. */
export interface ObjectMetadata<T> {
  /** Attaches metadata to an object that has none yet. The object may be frozen afterwards. */
  put(object: object, note: T): void;
  /** Returns the metadata of an object; `undefined` if the object has none. */
  of(object: object): T | undefined;
}

/**
 * Class whose constructor returns an existing object. A subclass can therefore add its private fields to that object.
 */
class Bearer {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: only a returning constructor can add a private field to an object.
    return object;
  }
}

/**
 * Creates a store for one kind of metadata. Metadata is a private field of the object. Unlike `WeakMap` entries,
 * private fields cost nothing in garbage collection and need no hashing.
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
