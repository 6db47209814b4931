/**
 * Sets of tool names: `specification` uses the names in the specification, `native` those of the model vendor's agent.
 */
export const TOOL_NAMES = ["specification", "native"] as const;

/** Set of tool names. */
export type ToolNames = (typeof TOOL_NAMES)[number];
