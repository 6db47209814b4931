import type { ErrorObject, Options, ValidateFunction } from "ajv";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { checkableSchema } from "./checkable-schema.ts";
import { ContentCache } from "./content-cache.ts";
import { inCurrentWords } from "./current-words.ts";
import { linearRegExp } from "./linear-regexp.ts";
import { withExclusiveFlags, withRoundedMultiples } from "./number-keywords.ts";
import { isWords, type Words } from "./schema-keywords.ts";
import { TooManyStepsError, withCountedSteps, withinSteps } from "./step-limit.ts";
import { withLinearUniqueItems } from "./unique-items.ts";

/** Checks a value; the problem in words, or nothing when the value is valid. */
export type SchemaCheck = (value: unknown) => string | undefined;

/** How a schema is compiled and problems are reported. */
export interface CompileOptions {
  /** Name of the whole value in problems. Default: `the value`. */
  readonly subject?: string | undefined;
  /**
   * Called for each keyword that cannot be checked, with its place and the reason. With it such keywords are left out
   * instead of an error: the check accepts at least what the whole schema accepts.
   */
  readonly onIgnored?: ((problem: string) => void) | undefined;
}

/** Most problems that are told of one value. */
const MAX_PROBLEMS = 10;
/** Most characters of all of them. */
const MAX_PROBLEM_CHARS = 2_000;

const OPTIONS: Options = {
  strict: false,
  // Infinity is no number of a schema, though JSON can say 1e999.
  strictNumbers: true,
  // Compiling finds what is wrong with a keyword's value as well; the schema of schemas alone costs 65 ms of CPU.
  validateSchema: false,
  // Without it `{}` would satisfy `required: ["constructor"]`.
  ownProperties: true,
  // Formats are notes for the model; nothing here depends on them.
  validateFormats: false,
  code: { regExp: linearRegExp },
  // Otherwise what is referred to is compiled once for each that refers to it.
  inlineRefs: false,
  logger: false,
};

function describe(error: ErrorObject, subject: string): string {
  const place = error.instancePath === "" ? subject : error.instancePath.slice(1).replaceAll("/", ".");
  const allowed: unknown = error.keyword === "enum" ? error.params["allowedValues"] : undefined;
  return `${place} ${error.message ?? "is invalid"}${allowed === undefined ? "" : `: ${JSON.stringify(allowed)}`}`;
}

/** The first problems in words: of a list of alternatives there may be any number of them. */
function describeAll(errors: readonly ErrorObject[], subject: string): string {
  const problems = errors.slice(0, MAX_PROBLEMS).map((error) => describe(error, subject));
  if (errors.length > MAX_PROBLEMS) problems.push("…");
  const text = problems.join("; ");
  return text.length > MAX_PROBLEM_CHARS ? `${text.slice(0, MAX_PROBLEM_CHARS).toWellFormed()}…` : text;
}

/** Why a check came to no end, where it is known. */
function describeThrown(error: unknown): string | undefined {
  if (error instanceof TooManyStepsError) return "the schema asks for too many steps";
  // The stack is used up: a schema that leads to itself, or a value of very many levels.
  if (error instanceof RangeError) return "the schema leads to itself without end, or there are too many levels";
  return undefined;
}

/** The number of an older draft, where the schema says that it is of one. */
function olderDraft(schema: Readonly<Record<string, unknown>>): string | undefined {
  const dialect = schema["$schema"];
  return typeof dialect === "string" ? /draft-0([4-7])/.exec(dialect)?.[1] : undefined;
}

/** Makes a validator on first use: setting one up costs more than compiling a schema. */
function lazily<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= create();
    return made;
  };
}

/** Makes a validator say what JSON Schema says, where it says something else by itself. */
function corrected(ajv: Ajv): Ajv {
  // The `id` of draft-04 is a note here like the later one, not an error.
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
    // The validator keeps every schema it has seen; those of others come and go.
    ajv.removeSchema(schema);
  }
}

/** One that says its draft is what it says; of others the usual words of older ones are understood as well. */
function compileUsual(
  schema: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, unknown>>,
): ValidateFunction {
  try {
    return compileWith(validatorFor(schema), words);
  } catch (error) {
    const current = "$schema" in schema ? words : inCurrentWords(words);
    if (current === words || typeof current !== "object" || current === null) throw error;
    return compileWith(draft2020(), { ...current });
  }
}

/** A validator, and the keywords that it leaves out. */
interface Compiled {
  readonly validate: ValidateFunction | undefined;
  readonly ignored: readonly string[];
}

function compileWhole(schema: Words): Compiled {
  // Without its id: different schemas may share one, and none may refer to another. `$async` is the validator's own word:
  // with it a check would be a promise, to which every value fits and whose rejection nobody hears.
  const { $schema: _, $id: __, $async: ___, ...rest } = schema;
  return { validate: compileUsual(schema, rest), ignored: [] };
}

function compileCheckable(schema: Words): Compiled {
  const { $schema: _, $id: __, $async: ___, ...rest } = schema;
  const { schema: checkable, ignored } = checkableSchema(inCurrentWords(rest));
  try {
    if (ignored.length === 0) return wholeSchemas.get(schema);
  } catch {
    // Its draft may not be the one that it names.
  }
  if (!isWords(checkable)) return { validate: undefined, ignored };
  try {
    return { validate: compileWith(draft2020(), checkable), ignored };
  } catch (error) {
    return { validate: undefined, ignored: [`the whole schema: ${error instanceof Error ? error.message : error}`] };
  }
}

const wholeSchemas = new ContentCache(compileWhole);
const checkableSchemas = new ContentCache(compileCheckable);

/**
 * Compiles a JSON Schema from an untrusted source: draft 2020-12, or draft-04 to draft-07 if `$schema` says so. Without
 * `$schema`, tuples of draft-07 and `nullable` are accepted. Patterns take time linear in the text, and nothing outside
 * the schema is loaded. Schemas with the same content are compiled once. Throws when the schema cannot be used, also
 * for patterns with look-around or back references; with `onIgnored` such keywords are left out instead.
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
