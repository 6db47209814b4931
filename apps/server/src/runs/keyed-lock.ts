/** Lets what has the same key happen one after the other. */
export interface KeyedLock {
  /** Runs an action when all before it with its key are over. */
  run<T>(key: string, action: () => Promise<T>): Promise<T>;
}

/** Makes a lock; a key that nobody uses any more takes no room. */
export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(key, action) {
      const before = tails.get(key) ?? Promise.resolve();
      const done = before.then(action, action);
      const tail = done.catch(() => undefined);
      tails.set(key, tail);
      try {
        return await done;
      } finally {
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
