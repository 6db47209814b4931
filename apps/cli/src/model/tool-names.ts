/** Sets of tool names: those of the specification, or those of the vendor's own agent. */
export const TOOL_NAMES = ["specification", "native"] as const;

/** Set of tool names. */
export type ToolNames = (typeof TOOL_NAMES)[number];
