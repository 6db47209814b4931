import { DEPENDENCY, type Dependencies, EngineError } from "@switchyard/contracts";

/** Names that version 0.1 gave to three dependencies. They still resolve, for engines built with that version. */
const FORMER_NAMES: ReadonlyMap<unknown, string> = new Map([
  ["environment", DEPENDENCY.environment],
  ["control", DEPENDENCY.control],
  ["secrets", DEPENDENCY.secrets],
]);

/** The key under which a value is stored: a former name stands for the present one. */
function storedKey(key: unknown): unknown {
  return FORMER_NAMES.get(key) ?? key;
}

/** Creates a container with these entries. Former names of dependencies resolve too. engine: NewDependencies. */
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
