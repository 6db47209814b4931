import type { ToolArguments } from "@switchyard/contracts";

/** Returns a string argument, whose type the schema has checked. */
export function textArgument(args: ToolArguments, name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}

/** Returns an optional string argument. An empty string counts as unset. */
export function optionalText(args: ToolArguments, name: string): string | undefined {
  return textArgument(args, name) || undefined;
}

/** Returns an optional number argument. */
export function optionalNumber(args: ToolArguments, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" ? value : undefined;
}

/** Returns a boolean argument. Unset means `false`. */
export function flagArgument(args: ToolArguments, name: string): boolean {
  return args[name] === true;
}

/** Returns an array of strings. */
export function textList(args: ToolArguments, name: string): readonly string[] {
  const value = args[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
