import { messageOf, type ToolArguments, type ToolDefinition } from "@switchyard/contracts";
import type { SchemaCheck } from "@switchyard/json-schema";

/** A compiled schema, and the keywords of it that cannot be checked. */
interface CompiledParameters {
  readonly check: SchemaCheck;
  readonly ignored: readonly string[];
}

/** Called with a definition whose schema can only be checked in part. */
export type OnUnchecked = (definition: ToolDefinition, ignored: readonly string[]) => void;

const compiled = new WeakMap<object, CompiledParameters>();

async function compile(schema: ToolDefinition["parameters"]): Promise<CompiledParameters> {
  // The validator costs more to load than a whole turn; a session without tool calls never does.
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
 * Returns why arguments do not fit a tool's schema; `undefined` when they do. Keywords that cannot be checked refuse
 * nothing and are reported. Resolves at once when the schema was compiled before. loop: validate_arguments, §2.5, §3.8
 * step 2.
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
