/** JSON Schema of a tool's arguments. */
export type ToolParameters = Readonly<Record<string, unknown>>;

/** Returns the schema of an object with these properties. loop: §3.8, the root must be an object. */
export function objectSchema(properties: ToolParameters, required: readonly string[]): ToolParameters {
  return { type: "object", properties, required };
}
