import { isRecord } from "./is-record.ts";

/** The value at a dotted path, such as `executor.config.command`; nothing where the path leads nowhere. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
