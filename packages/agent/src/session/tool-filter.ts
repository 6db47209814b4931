import type { RegisteredTool } from "@switchyard/contracts";

const acceptsAnyTool = (): boolean => true;

/** Whether a tool is one of those with these names, be it the one exposed or its own; every tool is without names. */
export function toolFilter(names: readonly string[] | undefined): (tool: RegisteredTool) => boolean {
  if (names === undefined) return acceptsAnyTool;
  const allowed = new Set(names);
  return ({ definition, canonicalName = definition.name }) =>
    allowed.has(definition.name) || allowed.has(canonicalName);
}
