import type { Ajv } from "ajv";
import { _ } from "ajv";

/** Number of steps that every check may take, whatever the size of its value. About 100 ms. */
const MAX_STEPS = 1_000_000;
/**
 * Additional validation steps that are allowed for each value in the checked data, so that long lists can be validated.
 */
const MAX_STEPS_PER_VALUE = 100;
/** Number of characters of a string that count as one validation step. */
const CHARS_PER_STEP = 64;

/** Keywords that apply several schemas to a value. */
const BRANCHING = [
  ...["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"],
  ...["properties", "dependentSchemas", "dependencies", "prefixItems"],
] as const;
/** Keywords whose check reads the whole value. */
const READING = [
  ...["items", "additionalItems", "unevaluatedItems", "contains"],
  ...["patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"],
  ...["pattern", "minLength", "maxLength"],
] as const;

/** Thrown if a check takes more steps than allowed. */
export class TooManyStepsError extends Error {
  override readonly name = "TooManyStepsError";
}

/** Step count and limit of the current check. Checks are synchronous, so only one check is active at a time. */
const progress: { value: unknown; steps: number; limit: number } = { value: undefined, steps: 0, limit: 0 };

function countValues(value: unknown): number {
  let count = 0;
  for (const rest = [value]; rest.length > 0; count++) {
    const next = rest.pop();
    if (typeof next === "object" && next !== null) for (const item of Object.values(next)) rest.push(item);
  }
  return count;
}

/** Adds steps to the step count of the current check. */
function countSteps(count: number): void {
  progress.steps += count;
  if (progress.steps <= progress.limit) return;
  // The size of the value is computed only when the base limit is exceeded, because few checks take so many steps.
  progress.limit = MAX_STEPS + MAX_STEPS_PER_VALUE * countValues(progress.value);
  if (progress.steps > progress.limit) throw new TooManyStepsError();
}

/** Adds the steps of reading a text to the step count of the current check. */
export function countTextSteps(text: string): void {
  countSteps(1 + text.length / CHARS_PER_STEP);
}

function countReadingSteps(data: unknown): void {
  if (typeof data === "string") countTextSteps(data);
  else countSteps(typeof data === "object" && data !== null ? 1 + Object.keys(data).length : 1);
}

function branchesOf(schema: unknown): number {
  return typeof schema === "object" && schema !== null ? Math.max(1, Object.keys(schema).length) : 1;
}

/**
 * Makes a validator count its steps. With references, a schema of one kilobyte can repeat the same check a billion
 * times, which cannot be detected in advance.
 */
export function withCountedSteps(ajv: Ajv): Ajv {
  const meter = (keyword: string, isReading: boolean): void => {
    const definition = ajv.getKeyword(keyword);
    if (typeof definition !== "object" || !("code" in definition)) return;
    const { code } = definition;
    definition.code = (context, ruleType) => {
      const { gen, data, schema } = context;
      if (isReading) gen.code(_`${gen.scopeValue("func", { ref: countReadingSteps })}(${data})`);
      else gen.code(_`${gen.scopeValue("func", { ref: countSteps })}(${branchesOf(schema)})`);
      code(context, ruleType);
    };
  };
  for (const keyword of BRANCHING) meter(keyword, false);
  for (const keyword of READING) meter(keyword, true);
  return ajv;
}

/**
 * Runs the check of a value with a step limit that depends on the value's size. Throws {@link TooManyStepsError} if the
 * check takes more steps.
 */
export function withinSteps<T>(value: unknown, check: () => T): T {
  Object.assign(progress, { value, steps: 0, limit: MAX_STEPS });
  try {
    return check();
  } finally {
    progress.value = undefined;
  }
}
