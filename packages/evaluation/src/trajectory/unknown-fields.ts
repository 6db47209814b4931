import { isRecord } from "../files/is-record.ts";
import { ATIF_SCHEMA } from "./atif-schema.ts";

/** Returns the paths of all fields that the schema does not know, such as `steps.0.role`. */
export function unknownFields(value: unknown): string[] {
  return walk(value, ATIF_SCHEMA, []);
}

type Path = readonly (string | number)[];

function walk(value: unknown, schema: unknown, path: Path): string[] {
  const resolved = resolveSchema(schema);
  if (resolved === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => walk(item, resolved["items"], [...path, index]));
  const properties = resolved["properties"];
  if (!isRecord(value) || !isRecord(properties)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    Object.hasOwn(properties, name) ? walk(item, properties[name], [...path, name]) : [[...path, name].join(".")],
  );
}

/** Returns the part of the schema to which a `$ref` refers, or the given part if it has no `$ref`. `undefined` if there is none. */
export function resolveSchema(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(schema)) return undefined;
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const definitions = ATIF_SCHEMA["$defs"];
  const named = isRecord(definitions) ? definitions[reference.replace("#/$defs/", "")] : undefined;
  return isRecord(named) ? named : undefined;
}
