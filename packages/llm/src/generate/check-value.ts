import { EngineError, messageOf } from "@switchyard/contracts";
import type { SchemaCheck } from "@switchyard/json-schema";

const checks = new WeakMap<object, SchemaCheck>();

/** Returns the compiled check of a schema. Throws `config.invalid` for an unusable schema. */
async function checkOf(schema: Readonly<Record<string, unknown>>): Promise<SchemaCheck> {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  // The validator is loaded on demand, because loading it is expensive and many calls do not need it.
  const { compileSchema } = await import("@switchyard/json-schema");
  try {
    const check = compileSchema(schema);
    checks.set(schema, check);
    return check;
  } catch (error) {
    const problem = `it cannot be used: ${messageOf(error)}`;
    throw new EngineError("config.invalid", { field: "schema", problem }, { cause: error });
  }
}

/**
 * Returns why a value does not match a JSON Schema. `undefined` if it matches. Rejects with `config.invalid` for an
 * unusable schema.
 */
export async function checkValue(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const check = await checkOf(schema);
  return check(value);
}

const argumentChecks = new WeakMap<object, SchemaCheck>();

/**
 * Returns why arguments do not match a tool's schema. `undefined` if they match. Unsupported keywords reject nothing,
 * because the schema may come from a tool server.
 */
export async function checkArguments(
  args: unknown,
  schema: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { compileSchema } = await import("@switchyard/json-schema");
  const check = argumentChecks.get(schema) ?? compileSchema(schema, { onIgnored: () => {} });
  argumentChecks.set(schema, check);
  return check(args);
}

/** Rejects with `config.invalid` for an unusable schema. */
export async function assertUsable(schema: Readonly<Record<string, unknown>>): Promise<void> {
  await checkOf(schema);
}
