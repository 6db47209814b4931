/** JSON Schema of a tool's arguments. */
export type ToolParameters = Readonly<Record<string, unknown>>;

/** Creates an object schema with the given properties. See loop: §3.8, the root must be an object. */
export function objectSchema(properties: ToolParameters, required: readonly string[]): ToolParameters {
  return { type: "object", properties, required };
}
