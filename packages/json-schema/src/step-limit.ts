import type { Ajv } from "ajv";
import { _ } from "ajv";

/** Steps that every check may take: what fails in so many of them is found in some 100 ms. */
const MAX_STEPS = 1_000_000;
/** Steps that a check may take besides for every value in what is checked: there are lists of very many entries. */
const MAX_STEPS_PER_VALUE = 100;
/** Characters of a text that are read in one step. */
const CHARS_PER_STEP = 64;

/** Keywords that hand a value to other schemas: as many as they have. */
const BRANCHING = [
  ...["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"],
  ...["properties", "dependentSchemas", "dependencies", "prefixItems"],
] as const;
/** Keywords that go through a value. */
const READING = [
  ...["items", "additionalItems", "unevaluatedItems", "contains"],
  ...["patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"],
  ...["pattern", "minLength", "maxLength"],
] as const;

/** A check took more steps than it may. */
export class TooManyStepsError extends Error {
  override readonly name = "TooManyStepsError";
}

/** What the check in progress has taken and may take. Checks wait for nothing, so there is one at a time. */
const progress: { value: unknown; steps: number; limit: number } = { value: undefined, steps: 0, limit: 0 };

function countValues(value: unknown): number {
  let count = 0;
  for (const rest = [value]; rest.length > 0; count++) {
    const next = rest.pop();
    if (typeof next === "object" && next !== null) for (const item of Object.values(next)) rest.push(item);
  }
  return count;
}

/** Counts steps of the check in progress. */
function takeSteps(count: number): void {
  progress.steps += count;
  if (progress.steps <= progress.limit) return;
  // Hardly any check comes this far, so only here is looked at how much there is to check.
  progress.limit = MAX_STEPS + MAX_STEPS_PER_VALUE * countValues(progress.value);
  if (progress.steps > progress.limit) throw new TooManyStepsError();
}

/** Counts the reading of a text in the check in progress. */
export function takeTextSteps(text: string): void {
  takeSteps(1 + text.length / CHARS_PER_STEP);
}

function takeReadingSteps(data: unknown): void {
  if (typeof data === "string") takeTextSteps(data);
  else takeSteps(typeof data === "object" && data !== null ? 1 + Object.keys(data).length : 1);
}

function branchesOf(schema: unknown): number {
  return typeof schema === "object" && schema !== null ? Math.max(1, Object.keys(schema).length) : 1;
}

/**
 * Has a validator count what it does. With references a schema of one kilobyte can ask for the same thing a billion times, and
 * by the levels of a value as well, where nothing of it looks out of the ordinary: only the check itself shows it.
 */
export function withCountedSteps(ajv: Ajv): Ajv {
  const meter = (keyword: string, isReading: boolean): void => {
    const definition = ajv.getKeyword(keyword);
    if (typeof definition !== "object" || !("code" in definition)) return;
    const { code } = definition;
    definition.code = (context, ruleType) => {
      const { gen, data, schema } = context;
      if (isReading) gen.code(_`${gen.scopeValue("func", { ref: takeReadingSteps })}(${data})`);
      else gen.code(_`${gen.scopeValue("func", { ref: takeSteps })}(${branchesOf(schema)})`);
      code(context, ruleType);
    };
  };
  for (const keyword of BRANCHING) meter(keyword, false);
  for (const keyword of READING) meter(keyword, true);
  return ajv;
}

/** Runs a check of a value. Throws {@link TooManyStepsError} where it takes more steps than the value is worth. */
export function withinSteps<T>(value: unknown, check: () => T): T {
  Object.assign(progress, { value, steps: 0, limit: MAX_STEPS });
  try {
    return check();
  } finally {
    progress.value = undefined;
  }
}
