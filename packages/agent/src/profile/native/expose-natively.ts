import type { RegisteredTool, ToolArguments } from "@switchyard/contracts";
import type { ToolParameters } from "../../tools/object-schema.ts";
import { DEFAULT_OUTPUT_LIMITS } from "../../truncation/output-limits.ts";
import type { NativeTool, NativeTools } from "./native-tool.ts";

function ownValue<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/**
 * Replaces the canonical names of tools and parameters in a description by the vendor's names. Only names with an
 * underscore are replaced, because other words may be ordinary text.
 */
function renamed(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => ownValue(names, name) ?? name);
}

function withVendorNames(property: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!isRecord(property) || typeof property["description"] !== "string") return property;
  return { ...property, description: renamed(property["description"], names) };
}

function toSchema(
  schema: ToolParameters,
  native: NativeTool,
  renamed: Readonly<Record<string, string>>,
): ToolParameters {
  const { parameters, hidden = [], further = {} } = native;
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const shown = Object.entries(properties).filter(([name]) => !hidden.includes(name));
  const required = isNameList(schema["required"]) ? schema["required"] : [];
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(
        shown.map(([name, property]) => [ownValue(parameters, name) ?? name, withVendorNames(property, renamed)]),
      ),
      ...further,
    },
    required: native.required ?? required.map((name) => ownValue(parameters, name) ?? name),
  };
}

/** Renames arguments from the vendor's names to the tool's canonical names. Unknown names stay unchanged. */
function toOwnNames(args: ToolArguments, parameters: Readonly<Record<string, string>>): ToolArguments {
  const ownNames = new Map(Object.entries(parameters).map(([name, vendors]) => [vendors, name]));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [ownNames.get(name) ?? name, value]));
}

/**
 * Returns a tool with a vendor's name, description and parameters, but the same executor, limits and effects. Returns
 * the tool unchanged if there are no vendor names. Calls, events and the history contain the vendor's name. See
 * architecture: decision 12.
 */
export function exposeNatively(tool: RegisteredTool, natives: NativeTools): RegisteredTool {
  const { name, description, parameters: schema } = tool.definition;
  if (Object.keys(natives).length === 0) return tool;
  // A tool without a vendor name is converted too, because its description may mention tools that have one.
  const native = ownValue(natives, name) ?? { name };
  const { parameters = {}, convert = (args) => args } = native;
  const toCanonicalArguments = (args: ToolArguments): ToolArguments => convert(toOwnNames(args, parameters));
  const parameterName = (parameter: string): string => ownValue(parameters, parameter) ?? parameter;
  const toolNames = Object.fromEntries(Object.entries(natives).map(([ownName, { name: shown }]) => [ownName, shown]));
  const replacements = { ...toolNames, ...parameters };
  return {
    ...tool,
    definition: {
      name: native.name,
      description: native.description ?? renamed(description, replacements),
      parameters: toSchema(schema, native, replacements),
    },
    outputLimits: tool.outputLimits ?? ownValue(DEFAULT_OUTPUT_LIMITS, name),
    canonicalName: tool.canonicalName ?? name,
    toCanonicalArguments,
    execute: (args, environment, context) =>
      tool.execute(toCanonicalArguments(args), environment, { ...context, parameterName }),
  };
}
