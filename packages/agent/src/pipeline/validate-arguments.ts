import type { ToolArguments } from "@switchyard/contracts";
import { messageOf, type ToolDefinition } from "@switchyard/contracts";
import type { SchemaCheck } from "@switchyard/json-schema";

const checks = new WeakMap<object, SchemaCheck>();

async function compile(schema: ToolDefinition["parameters"]): Promise<SchemaCheck> {
  // The validator costs more to load than a whole turn; a session without tool calls never does.
  const { compileSchema } = await import("@switchyard/json-schema");
  try {
    return compileSchema(schema, { subject: "the arguments" });
  } catch (error) {
    return () => `the tool's own schema cannot be used: ${messageOf(error)}`;
  }
}

async function validateFirst(definition: ToolDefinition, args: ToolArguments): Promise<string | undefined> {
  const check = await compile(definition.parameters);
  checks.set(definition.parameters, check);
  return check(args);
}

/**
 * Why arguments do not fit a tool's schema; nothing when they do. Validators are compiled once per definition; with one
 * that is there the answer comes at once. loop: validate_arguments, §2.5, §3.8 step 2.
 */
export function validateArguments(
  definition: ToolDefinition,
  args: ToolArguments,
): string | undefined | Promise<string | undefined> {
  const check = checks.get(definition.parameters);
  return check === undefined ? validateFirst(definition, args) : check(args);
}
