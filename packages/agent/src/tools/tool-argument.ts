import type { ToolArguments } from "@switchyard/contracts";

/** A text argument; the schema has made sure of its type. */
export function textArgument(args: ToolArguments, name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}

/** An optional text argument; the empty text counts as unset. */
export function optionalText(args: ToolArguments, name: string): string | undefined {
  return textArgument(args, name) || undefined;
}

/** An optional number argument. */
export function optionalNumber(args: ToolArguments, name: string): number | undefined {
  const value = args[name];
  return typeof value === "number" ? value : undefined;
}

/** A boolean argument; unset means false. */
export function flagArgument(args: ToolArguments, name: string): boolean {
  return args[name] === true;
}

/** A list of texts. */
export function textList(args: ToolArguments, name: string): readonly string[] {
  const value = args[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
