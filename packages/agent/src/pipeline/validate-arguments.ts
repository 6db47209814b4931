import { messageOf, type ToolDefinition } from "@switchyard/contracts";
import type { SchemaCheck } from "@switchyard/json-schema";

/** Validates the arguments of one tool. See loop: validate_arguments, §2.5, §3.8 step 2. */
export interface ArgumentsValidator {
  /** Returns why arguments do not match the tool's schema. `undefined` if they match. */
  readonly check: SchemaCheck;
  /** Keywords of the schema that cannot be checked. */
  readonly ignored: readonly string[];
}

const compiled = new WeakMap<object, ArgumentsValidator>();

async function compile(schema: ToolDefinition["parameters"]): Promise<ArgumentsValidator> {
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

/** Returns the validator of a tool's arguments. `undefined` if the tool's schema is not compiled yet. */
export function validatorOf({ parameters }: ToolDefinition): ArgumentsValidator | undefined {
  return compiled.get(parameters);
}

/** Compiles the schema of a tool's arguments. */
export async function compileValidator({ parameters }: ToolDefinition): Promise<ArgumentsValidator> {
  const validator = await compile(parameters);
  compiled.set(parameters, validator);
  return validator;
}
