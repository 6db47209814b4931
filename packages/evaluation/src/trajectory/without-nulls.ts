import { isRecord } from "../files/is-record.ts";
import { ATIF_SCHEMA } from "./atif-schema.ts";
import { resolveSchema } from "./unknown-fields.ts";

/**
 * Returns a copy of a trajectory without optional fields that are `null`. An optional field that is `null` means the
 * same as a missing one: Harbor's own programs accept both. Values that the format does not define, such as `extra` and
 * the arguments of tool calls, are unchanged.
 */
export function withoutNulls(value: unknown, schema: unknown = ATIF_SCHEMA): unknown {
  const resolved = resolveSchema(schema);
  if (resolved === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, resolved["items"]));
  const { properties, required } = resolved;
  if (!isRecord(value) || !isRecord(properties)) return value;
  const isOptional = (name: string): boolean =>
    Object.hasOwn(properties, name) && !(Array.isArray(required) && required.includes(name));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => item !== null || !isOptional(name))
      .map(([name, item]) => [name, Object.hasOwn(properties, name) ? withoutNulls(item, properties[name]) : item]),
  );
}
