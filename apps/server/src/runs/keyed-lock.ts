/** Lock that serialises actions with the same key. */
export interface KeyedLock {
  /** Runs an action after all earlier actions with the same key have ended. */
  run<T>(key: string, action: () => Promise<T>): Promise<T>;
}

/** Creates a lock. Unused keys take no memory. */
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
