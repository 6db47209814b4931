import { messageOf, type ToolArguments, type ToolDefinition } from "@switchyard/contracts";
import type { SchemaCheck } from "@switchyard/json-schema";

/** A compiled parameter schema, and the schema keywords that the validator does not support. */
interface CompiledParameters {
  readonly check: SchemaCheck;
  readonly ignored: readonly string[];
}

/** Called with a definition whose schema can be checked only partially. */
export type OnUnchecked = (definition: ToolDefinition, ignored: readonly string[]) => void;

const compiled = new WeakMap<object, CompiledParameters>();

async function compile(schema: ToolDefinition["parameters"]): Promise<CompiledParameters> {
  // Loading the validator takes longer than a complete turn, so sessions without tool calls never load it.
  const { compileSchema } = await import("@switchyard/json-schema");
  const ignored: string[] = [];
  const onIgnored = (problem: string): void => void ignored.push(problem);
  try {
    return { check: compileSchema(schema, { subject: "the arguments", onIgnored }), ignored };
  } catch (error) {
    return { check: () => undefined, ignored: [`the whole schema: ${messageOf(error)}`] };
  }
}

async function validateFirst(
  definition: ToolDefinition,
  args: ToolArguments,
  onUnchecked: OnUnchecked | undefined,
): Promise<string | undefined> {
  compiled.set(definition.parameters, await compile(definition.parameters));
  return validateArguments(definition, args, onUnchecked);
}

/**
 * Returns why arguments do not match a tool's schema. `undefined` if they match. Keywords that cannot be checked are
 * ignored and reported. Returns synchronously if the schema is already compiled. See loop: validate_arguments, §2.5,
 * §3.8 step 2.
 */
export function validateArguments(
  definition: ToolDefinition,
  args: ToolArguments,
  onUnchecked?: OnUnchecked,
): string | undefined | Promise<string | undefined> {
  const known = compiled.get(definition.parameters);
  if (known === undefined) return validateFirst(definition, args, onUnchecked);
  if (known.ignored.length > 0) onUnchecked?.(definition, known.ignored);
  return known.check(args);
}
