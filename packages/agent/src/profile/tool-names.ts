import type { NativeTools } from "./native/native-tool.ts";

/** What the model calls a tool, or a parameter of it, by the specification's names. architecture: decision 12. */
export type ToolNames = (tool: string, parameter?: string) => string;

/** The names of a naming; the specification's where it has none of its own. */
export function toolNamesOf(natives: NativeTools): ToolNames {
  return (tool, parameter) => {
    const native = Object.hasOwn(natives, tool) ? natives[tool] : undefined;
    if (parameter === undefined) return native?.name ?? tool;
    const names = native?.parameters ?? {};
    return (Object.hasOwn(names, parameter) ? names[parameter] : undefined) ?? parameter;
  };
}
