import { type Dependencies, EngineError } from "@switchyard/contracts";

/** Makes a container with these entries. engine: NewDependencies. */
export function createDependencies(entries: Iterable<readonly [unknown, unknown]> = []): Dependencies {
  const values = new Map<unknown, unknown>(entries);
  return {
    get: (key) => values.get(key),
    has: (key) => values.has(key),
    set: (key, value) => {
      values.set(key, value);
    },
    remove: (key) => {
      values.delete(key);
    },
    clone: () => createDependencies(values),
  };
}

/** A container of its own with the same values; nothing of nothing. engine: Dependencies.Clone. */
export function cloneDependencies(dependencies: Dependencies | undefined): Dependencies | undefined {
  return dependencies?.clone();
}

/**
 * A dependency of the type that the guard knows. Throws `dependency.no_container`, `dependency.not_found` or
 * `dependency.wrong_type`. engine: GetDep, MustGetDep.
 */
export function getDependency<T>(
  dependencies: Dependencies | undefined,
  key: unknown,
  guard: (value: unknown) => value is T,
): T {
  const dependency = String(key);
  if (dependencies === undefined) throw new EngineError("dependency.no_container", { dependency });
  if (!dependencies.has(key)) throw new EngineError("dependency.not_found", { dependency });
  const value = dependencies.get(key);
  if (!guard(value)) throw new EngineError("dependency.wrong_type", { dependency });
  return value;
}
