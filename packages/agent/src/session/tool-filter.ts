import type { RegisteredTool } from "@switchyard/contracts";

const acceptsAnyTool = (): boolean => true;

/**
 * Returns a function that checks a tool's exposed and canonical names against a list. Without a list, it accepts every
 * tool.
 */
export function toolFilter(names: readonly string[] | undefined): (tool: RegisteredTool) => boolean {
  if (names === undefined) return acceptsAnyTool;
  const allowed = new Set(names);
  return ({ definition, canonicalName = definition.name }) =>
    allowed.has(definition.name) || allowed.has(canonicalName);
}
