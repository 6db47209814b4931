/** Notes on objects, which nobody else can see or change. */
export interface Notes<T> {
  /** Puts a note on an object that has none; it may be frozen afterwards. */
  put(object: object, note: T): void;
  /** The note on an object. */
  of(object: object): T | undefined;
}

/** An object that is already there, so that a class built on this one adds its private fields to it. */
class Bearer {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: there is no other way to put a private field on an object.
    return object;
  }
}

/**
 * Makes notes of one kind. They are private fields of the objects: unlike entries of a WeakMap they cost nothing when
 * garbage is collected, and are found without hashing.
 */
export function createNotes<T>(): Notes<T> {
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
