import { EngineError, messageOf } from "@switchyard/contracts";
import type { SchemaCheck } from "@switchyard/json-schema";

const checks = new WeakMap<object, SchemaCheck>();

/** The check of a schema, compiled once. Throws `config.invalid` when the schema cannot be used. */
async function checkOf(schema: Readonly<Record<string, unknown>>): Promise<SchemaCheck> {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  // The validator costs more to load than all the rest; many calls need none.
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

/** Why a value does not fit a JSON Schema; nothing when it does. Rejects with `config.invalid` for an unusable schema. */
export async function checkValue(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const check = await checkOf(schema);
  return check(value);
}

const argumentChecks = new WeakMap<object, SchemaCheck>();

/**
 * Returns why arguments do not fit a tool's schema; `undefined` when they do. Keywords that cannot be checked refuse
 * nothing: the schema may be that of a tool server.
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

/** Rejects with `config.invalid` for a schema that nothing could be checked by. */
export async function assertUsable(schema: Readonly<Record<string, unknown>>): Promise<void> {
  await checkOf(schema);
}
