import type { ControlSource, ExecutionEnvironment } from "@switchyard/contracts";

function hasFunctions<K extends string>(value: unknown, names: readonly K[]): value is Record<K, () => unknown> {
  if (typeof value !== "object" || value === null) return false;
  const entries = new Map<string, unknown>();
  for (const name of names) entries.set(name, Reflect.get(value, name));
  return [...entries.values()].every((entry) => typeof entry === "function");
}

/** Whether a dependency is an environment. */
export function isEnvironment(value: unknown): value is ExecutionEnvironment {
  return hasFunctions(value, ["readFile", "writeFile", "exec", "shell", "grep", "glob"]);
}

/** Whether a dependency is a source of control messages. */
export function isControlSource(value: unknown): value is ControlSource {
  return hasFunctions(value, ["drain", "onMessage"]);
}

/** Whether a dependency is a list of names. */
export function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
