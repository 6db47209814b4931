/**
 * Naming schemes for the tools that a model sees. `specification`: the names in the Switchyard specification. `native`:
 * the names that the model vendor's own agent uses.
 */
export const TOOL_NAMES = ["specification", "native"] as const;

/** Set of tool names. */
export type ToolNames = (typeof TOOL_NAMES)[number];
