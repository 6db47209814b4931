import type { RegisteredTool, ToolArguments } from "@switchyard/contracts";
import type { ToolParameters } from "../../tools/object-schema.ts";
import { DEFAULT_OUTPUT_LIMITS } from "../../truncation/output-limits.ts";
import type { NativeTool, NativeTools } from "./native-tool.ts";

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** Names with an underscore are no words of a sentence: in a description they mean a parameter, or another tool. */
function renamed(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => own(names, name) ?? name);
}

function withVendorNames(property: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!isRecord(property) || typeof property["description"] !== "string") return property;
  return { ...property, description: renamed(property["description"], names) };
}

function toSchema(schema: ToolParameters, native: NativeTool, words: Readonly<Record<string, string>>): ToolParameters {
  const { parameters, hidden = [], further = {} } = native;
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const shown = Object.entries(properties).filter(([name]) => !hidden.includes(name));
  const required = isNameList(schema["required"]) ? schema["required"] : [];
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(
        shown.map(([name, property]) => [own(parameters, name) ?? name, withVendorNames(property, words)]),
      ),
      ...further,
    },
    required: native.required ?? required.map((name) => own(parameters, name) ?? name),
  };
}

/** Gives arguments the tool's own names; one that already has its own name stays. */
function toOwnNames(args: ToolArguments, parameters: Readonly<Record<string, string>>): ToolArguments {
  const ownNames = new Map(Object.entries(parameters).map(([name, vendors]) => [vendors, name]));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [ownNames.get(name) ?? name, value]));
}

/**
 * A tool under a vendor's names, or as it is where the vendor has none for it: the same executor behind other words. Limits, effects and what it does stay those of
 * the tool itself; calls, events and the history have the vendor's name. architecture: decision 12.
 */
export function exposeNatively(tool: RegisteredTool, natives: NativeTools): RegisteredTool {
  const { name, description, parameters: schema } = tool.definition;
  if (Object.keys(natives).length === 0) return tool;
  // One that the vendor has no name for may still speak of others.
  const native = own(natives, name) ?? { name };
  const { parameters = {}, convert = (args) => args } = native;
  const toCanonicalArguments = (args: ToolArguments): ToolArguments => convert(toOwnNames(args, parameters));
  const parameterName = (parameter: string): string => own(parameters, parameter) ?? parameter;
  const toolNames = Object.fromEntries(Object.entries(natives).map(([ownName, { name: shown }]) => [ownName, shown]));
  const words = { ...toolNames, ...parameters };
  return {
    ...tool,
    definition: {
      name: native.name,
      description: native.description ?? renamed(description, words),
      parameters: toSchema(schema, native, words),
    },
    outputLimits: tool.outputLimits ?? own(DEFAULT_OUTPUT_LIMITS, name),
    canonicalName: tool.canonicalName ?? name,
    toCanonicalArguments,
    execute: (args, environment, context) =>
      tool.execute(toCanonicalArguments(args), environment, { ...context, parameterName }),
  };
}
