import type { NativeTools } from "./native/native-tool.ts";

/**
 * Returns the name under which the model sees a tool or a parameter, given the specification's names. architecture:
 * decision 12.
 */
export type ToolNames = (tool: string, parameter?: string) => string;

/** Returns the names of a set. Names that it does not define are the specification's. */
export function toolNamesOf(natives: NativeTools): ToolNames {
  return (tool, parameter) => {
    const native = Object.hasOwn(natives, tool) ? natives[tool] : undefined;
    if (parameter === undefined) return native?.name ?? tool;
    const names = native?.parameters ?? {};
    return (Object.hasOwn(names, parameter) ? names[parameter] : undefined) ?? parameter;
  };
}
