import type { NativeTools } from "./native/native-tool.ts";

/**
 * Returns the name that the model sees for a tool or one of its parameters, given the specification's name. See
 * architecture: decision 12.
 */
export type ToolNames = (tool: string, parameter?: string) => string;

/** Creates a name lookup from a vendor's tools. Names that the vendor does not define are returned unchanged. */
export function toolNamesOf(natives: NativeTools): ToolNames {
  return (tool, parameter) => {
    const native = Object.hasOwn(natives, tool) ? natives[tool] : undefined;
    if (parameter === undefined) return native?.name ?? tool;
    const names = native?.parameters ?? {};
    return (Object.hasOwn(names, parameter) ? names[parameter] : undefined) ?? parameter;
  };
}
