import type { ErrorObject, Options } from "ajv";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { linearRegExp } from "./linear-regexp.ts";

/** Checks a value; the problem in words, or nothing when the value is valid. */
export type SchemaCheck = (value: unknown) => string | undefined;

const OPTIONS: Options = {
  strict: false,
  strictNumbers: true,
  validateSchema: false,
  // Without it `{}` would satisfy `required: ["constructor"]`.
  ownProperties: true,
  // Formats are notes for the model.
  validateFormats: false,
  code: { regExp: linearRegExp },
  logger: false,
};

function describe(error: ErrorObject): string {
  const place = error.instancePath === "" ? "the value" : error.instancePath.slice(1).replaceAll("/", ".");
  return `${place} ${error.message ?? "is invalid"}`;
}

function isOlderDraft({ $schema: dialect }: Readonly<Record<string, unknown>>): boolean {
  return typeof dialect === "string" && /draft-0[4-7]/.test(dialect);
}

/** Makes a validator on first use: setting one up costs more than compiling a schema. */
function lazily<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= create();
    return made;
  };
}

const draft07 = lazily(() => new Ajv(OPTIONS));
const draft2020 = lazily(() => new Ajv2020(OPTIONS));

/** Compiles a JSON Schema (2020-12, or draft-07 where it says so). Throws when the schema itself is unusable. */
export function compileSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const ajv = isOlderDraft(schema) ? draft07() : draft2020();
  const { $schema: _, $id: __, ...rest } = schema;
  const validate = ajv.compile(rest);
  // The validator keeps every schema it has seen.
  ajv.removeSchema(rest);
  return (value) => {
    if (validate(value)) return undefined;
    return (validate.errors ?? []).map(describe).join("; ") || "it does not match the schema";
  };
}
