import { z } from "zod";
import { isRecord } from "../json/is-record.ts";
import { engineBlockSchema, SETTING_CHOICES } from "./engine-config-schema.ts";

const REFERENCE = "^\\$\\{[^}]+\\}$";

/** Returns a nested part of a schema, by property names. */
function partOf(schema: unknown, ...names: readonly string[]): Record<string, unknown> {
  let part = schema;
  for (const name of names) {
    const properties = isRecord(part) ? part["properties"] : undefined;
    part = isRecord(properties) ? properties[name] : undefined;
  }
  if (!isRecord(part)) throw new Error(`The schema has no ${names.join(".")}.`);
  return part;
}

/**
 * Returns the published JSON Schema (draft 2020-12) of an engine configuration, for completion and validation in
 * editors. See custom-engine: full configuration schema.
 */
export function engineConfigJsonSchema(): Readonly<Record<string, unknown>> {
  const generated: unknown = z.toJSONSchema(engineBlockSchema, { io: "input" });
  const block = isRecord(generated) ? generated : {};
  const { $schema, ...engine } = block;
  const custom = partOf(engine, "custom");
  for (const [setting, values] of Object.entries(SETTING_CHOICES)) {
    // A reference to a variable is allowed in place of the value.
    Object.assign(partOf(custom, setting), { anyOf: [{ enum: [...values] }, { pattern: REFERENCE }] });
  }
  Object.assign(custom, {
    required: ["transport"],
    allOf: [requires("local", "command"), requires("http", "url")],
  });
  const items = partOf(custom, "http", "files")["items"];
  if (isRecord(items)) Object.assign(items, { required: ["path"] });
  return {
    ...{ $schema, $id: "urn:switchyard:engine-config:1", title: "Switchyard engine configuration" },
    ...{ type: "object", properties: { engine }, required: ["engine"], additionalProperties: false },
  };
}

function requires(transport: string, field: string): Record<string, unknown> {
  return {
    if: { properties: { transport: { const: transport } }, required: ["transport"] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: { properties: { [transport]: { type: "object", required: [field] } }, required: [transport] },
  };
}
