/** Whose names the model knows the tools by: the specification's, or those of the vendor's own agent. */
export const TOOL_NAMES = ["specification", "native"] as const;

/** One of them. */
export type ToolNames = (typeof TOOL_NAMES)[number];
