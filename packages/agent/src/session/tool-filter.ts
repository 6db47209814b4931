import type { RegisteredTool } from "@switchyard/contracts";

const acceptsAnyTool = (): boolean => true;

/** Returns a function that checks a tool's exposed and own names against a list. Without a list, every tool passes. */
export function toolFilter(names: readonly string[] | undefined): (tool: RegisteredTool) => boolean {
  if (names === undefined) return acceptsAnyTool;
  const allowed = new Set(names);
  return ({ definition, canonicalName = definition.name }) =>
    allowed.has(definition.name) || allowed.has(canonicalName);
}
