import type { ToolArguments } from "@switchyard/contracts";

/** Returns a string argument. Empty if the argument is missing. */
export function textArgument(args: ToolArguments, name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}

/** Returns an optional string argument. `undefined` if the argument is missing or empty. */
export function optionalText(args: ToolArguments, name: string): string | undefined {
  return textArgument(args, name) || undefined;
}

/** Returns an optional number argument. `undefined` if the argument is missing. */
export function optionalNumber(args: ToolArguments, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" ? value : undefined;
}

/** Returns a boolean argument. `false` if the argument is missing. */
export function flagArgument(args: ToolArguments, name: string): boolean {
  return args[name] === true;
}

/** Returns the strings of an array argument. Empty if the argument is missing. */
export function textList(args: ToolArguments, name: string): readonly string[] {
  const value = args[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
