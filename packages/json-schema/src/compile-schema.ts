import type { ErrorObject, Options, ValidateFunction } from "ajv";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { checkableSchema } from "./checkable-schema.ts";
import { ContentCache } from "./content-cache.ts";
import { linearRegExp } from "./linear-regexp.ts";
import { withExclusiveFlags, withRoundedMultiples } from "./number-keywords.ts";
import { isSchemaObject, type SchemaObject } from "./schema-keywords.ts";
import { TooManyStepsError, withCountedSteps, withinSteps } from "./step-limit.ts";
import { toCurrentDraft } from "./to-current-draft.ts";
import { withLinearUniqueItems } from "./unique-items.ts";

/** Checks a value. Returns a description of the problem; `undefined` if the value is valid. */
export type SchemaCheck = (value: unknown) => string | undefined;

/** Options for `compileSchema`. */
export interface CompileOptions {
  /** Name of the value in messages. Default: `the value`. */
  readonly subject?: string | undefined;
  /**
   * Called for each keyword that cannot be checked, with its location and the reason. With this callback, such keywords
   * are removed instead of causing an error. The check then accepts every value that the original schema accepts.
   */
  readonly onIgnored?: ((problem: string) => void) | undefined;
}

/** Maximum number of reported problems per value. */
const MAX_PROBLEMS = 10;
/** Maximum length of all reported problems, in characters. */
const MAX_PROBLEM_CHARS = 2_000;

const OPTIONS: Options = {
  strict: false,
  // Infinity is not a valid number, although JSON.parse returns it for 1e999.
  strictNumbers: true,
  // The meta-schema is not used: loading it takes 65 ms, and compiling also finds invalid keyword values.
  validateSchema: false,
  // Ignores inherited properties: otherwise `{}` would satisfy `required: ["constructor"]`.
  ownProperties: true,
  // `format` is not checked. It is only a hint for the model.
  validateFormats: false,
  code: { regExp: linearRegExp },
  // Compiles a referenced schema only once, not for each reference to it.
  inlineRefs: false,
  logger: false,
};

function describe(error: ErrorObject, subject: string): string {
  const place = error.instancePath === "" ? subject : error.instancePath.slice(1).replaceAll("/", ".");
  const allowed: unknown = error.keyword === "enum" ? error.params["allowedValues"] : undefined;
  return `${place} ${error.message ?? "is invalid"}${allowed === undefined ? "" : `: ${JSON.stringify(allowed)}`}`;
}

/** Describes the first validation problems. A schema with alternatives can cause any number of problems. */
function describeAll(errors: readonly ErrorObject[], subject: string): string {
  const problems = errors.slice(0, MAX_PROBLEMS).map((error) => describe(error, subject));
  if (errors.length > MAX_PROBLEMS) problems.push("…");
  const text = problems.join("; ");
  return text.length > MAX_PROBLEM_CHARS ? `${text.slice(0, MAX_PROBLEM_CHARS).toWellFormed()}…` : text;
}

/** Returns the reason why a check was aborted by an exception; `undefined` if the reason is unknown. */
function describeThrown(error: unknown): string | undefined {
  if (error instanceof TooManyStepsError) return "the schema requires too many steps";
  // Stack overflow: the schema refers to itself, or the value is too deep.
  if (error instanceof RangeError) return "the schema refers to itself endlessly, or has too many levels";
  return undefined;
}

/** Returns the draft number of a schema that declares an older draft. */
function olderDraft(schema: Readonly<Record<string, unknown>>): string | undefined {
  const dialect = schema["$schema"];
  return typeof dialect === "string" ? /draft-0([4-7])/.exec(dialect)?.[1] : undefined;
}

/** Creates a validator on first use, because creating one takes longer than compiling a schema. */
function lazily<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= create();
    return made;
  };
}

/** Corrects the validator (ajv) where it deviates from JSON Schema. */
function corrected(ajv: Ajv): Ajv {
  // Draft-04's `id` is ignored like the later `$id`, instead of being an error.
  ajv.removeKeyword("id");
  return withCountedSteps(withLinearUniqueItems(withRoundedMultiples(ajv)));
}

const draft04 = lazily(() => withExclusiveFlags(corrected(new Ajv(OPTIONS))));
const draft07 = lazily(() => corrected(new Ajv(OPTIONS)));
const draft2020 = lazily(() => corrected(new Ajv2020(OPTIONS)));

function validatorFor(schema: Readonly<Record<string, unknown>>): Ajv {
  const draft = olderDraft(schema);
  if (draft === undefined) return draft2020();
  return draft === "4" ? draft04() : draft07();
}

function compileWith(ajv: Ajv, schema: Readonly<Record<string, unknown>>): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // The compiled schema is removed from the validator, which would otherwise store it forever.
    ajv.removeSchema(schema);
  }
}

/**
 * Compiles a schema according to its declared draft. Without a declaration, common keywords of older drafts are
 * accepted too.
 */
function compileUsual(
  schema: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, unknown>>,
): ValidateFunction {
  try {
    return compileWith(validatorFor(schema), words);
  } catch (error) {
    const current = "$schema" in schema ? words : toCurrentDraft(words);
    if (current === words || typeof current !== "object" || current === null) throw error;
    return compileWith(draft2020(), { ...current });
  }
}

/** Compiled validator, and the keywords that were removed from its schema. */
interface Compiled {
  readonly validate: ValidateFunction | undefined;
  readonly ignored: readonly string[];
}

function compileWhole(schema: SchemaObject): Compiled {
  // The schema's `$id` is removed. Different schemas may have the same id, and no schema may refer to another.
  // `$async` is removed, because with this extension of the validator every check would return a promise.
  const { $schema: _, $id: __, $async: ___, ...rest } = schema;
  return { validate: compileUsual(schema, rest), ignored: [] };
}

function compileCheckable(schema: SchemaObject): Compiled {
  const { $schema: _, $id: __, $async: ___, ...rest } = schema;
  const { schema: checkable, ignored } = checkableSchema(toCurrentDraft(rest));
  try {
    if (ignored.length === 0) return wholeSchemas.get(schema);
  } catch {
    // Continues with the schema converted to the current draft, because the declared draft may be wrong.
  }
  if (!isSchemaObject(checkable)) return { validate: undefined, ignored };
  try {
    return { validate: compileWith(draft2020(), checkable), ignored };
  } catch (error) {
    return { validate: undefined, ignored: [`the whole schema: ${error instanceof Error ? error.message : error}`] };
  }
}

const wholeSchemas = new ContentCache(compileWhole);
const checkableSchemas = new ContentCache(compileCheckable);

/**
 * Compiles a JSON Schema from an untrusted source: draft 2020-12, or draft-04 to draft-07 if `$schema` declares it.
 * Without `$schema`, draft-07 tuples and `nullable` are accepted. Patterns run in linear time, and nothing outside the
 * schema is loaded. Schemas of equal content are compiled once. Throws if the schema is unusable, also for patterns
 * with look-around or back-references; with `onIgnored` such keywords are removed instead.
 */
export function compileSchema(
  schema: Readonly<Record<string, unknown>>,
  { subject = "the value", onIgnored }: CompileOptions = {},
): SchemaCheck {
  const { validate, ignored } = (onIgnored === undefined ? wholeSchemas : checkableSchemas).get(schema);
  for (const problem of ignored) onIgnored?.(problem);
  return (value) => {
    if (validate === undefined) return undefined;
    try {
      if (withinSteps(value, () => validate(value))) return undefined;
    } catch (error) {
      const problem = describeThrown(error);
      if (problem === undefined) throw error;
      return `${subject} cannot be checked: ${problem}`;
    }
    return describeAll(validate.errors ?? [], subject) || "it does not match the schema";
  };
}
