import type { Dependencies } from "@switchyard/contracts";

/** Creates a dependency container with the given entries, for tests. See engine: Dependencies. */
export function plainDependencies(entries: Iterable<readonly [unknown, unknown]> = []): Dependencies {
  const values = new Map(entries);
  return {
    get: (key) => values.get(key),
    has: (key) => values.has(key),
    set: (key, value) => {
      values.set(key, value);
    },
    remove: (key) => {
      values.delete(key);
    },
    clone: () => plainDependencies(values),
  };
}
