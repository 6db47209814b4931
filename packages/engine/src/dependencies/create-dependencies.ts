import { DEPENDENCY, type Dependencies, EngineError } from "@switchyard/contracts";

/** Names of three dependencies in version 0.1. These names still resolve, for engines built with version 0.1. */
const FORMER_NAMES: ReadonlyMap<unknown, string> = new Map([
  ["environment", DEPENDENCY.environment],
  ["control", DEPENDENCY.control],
  ["secrets", DEPENDENCY.secrets],
]);

/** Returns the current name of a dependency, given its current or former name. */
function storedKey(key: unknown): unknown {
  return FORMER_NAMES.get(key) ?? key;
}

/**
 * Creates a set of dependencies from keys and values. Dependencies are also found by their former names. See engine:
 * NewDependencies.
 */
export function createDependencies(entries: Iterable<readonly [unknown, unknown]> = []): Dependencies {
  const values = new Map<unknown, unknown>();
  for (const [key, value] of entries) values.set(storedKey(key), value);
  return {
    get: (key) => values.get(storedKey(key)),
    has: (key) => values.has(storedKey(key)),
    set: (key, value) => {
      values.set(storedKey(key), value);
    },
    remove: (key) => {
      values.delete(storedKey(key));
    },
    clone: () => createDependencies(values),
  };
}

/**
 * Returns a separate container with the same values, or `undefined` if none is given. See engine: Dependencies.Clone.
 */
export function cloneDependencies(dependencies: Dependencies | undefined): Dependencies | undefined {
  return dependencies?.clone();
}

/**
 * Returns a dependency that passes the guard. Throws `dependency.no_container`, `dependency.not_found` or
 * `dependency.wrong_type`. See engine: GetDep, MustGetDep.
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
