/**
 * Returns the value at a dotted path, such as `executor.config.command` or `items.0.id`; `undefined` if it does not
 * exist.
 */
export function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.split(".")) {
    if (!hasProperty(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function hasProperty(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
