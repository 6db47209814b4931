import type { Ajv } from "ajv";

/** Maximum relative rounding error of the division by `multipleOf`, for fractions such as 0.01. */
const ROUNDING = 2 * Number.EPSILON;

function isMultiple(value: number, step: number): boolean {
  return step !== 0 && Math.abs(Math.round(value / step) * step - value) <= ROUNDING * Math.abs(value);
}

/** Replaces the validator's `multipleOf`, for which 19.99 is not a multiple of 0.01. */
export function withRoundedMultiples(ajv: Ajv): Ajv {
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: (step: number, value: number) => isMultiple(value, step),
    error: { message: ({ schema }) => `must be multiple of ${String(schema)}` },
    errors: false,
  });
  return ajv;
}

const EXCLUSIVE = [
  {
    keyword: "exclusiveMaximum",
    limit: "maximum",
    sign: "<",
    isWithin: (value: number, limit: number) => value < limit,
  },
  {
    keyword: "exclusiveMinimum",
    limit: "minimum",
    sign: ">",
    isWithin: (value: number, limit: number) => value > limit,
  },
] as const;

/**
 * Makes `exclusiveMinimum` and `exclusiveMaximum` accept booleans, as in draft-04 of JSON Schema. If their value is a
 * number, they keep the meaning of later drafts.
 */
export function withExclusiveFlags(ajv: Ajv): Ajv {
  for (const { keyword, limit, sign, isWithin } of EXCLUSIVE) {
    const limitOf = (setting: unknown, beside: Readonly<Record<string, unknown>>): unknown =>
      setting === true ? beside[limit] : setting;
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: "number",
      schemaType: ["boolean", "number"],
      compile: (setting: unknown, parent) => {
        const bound = limitOf(setting, parent);
        return (value: number) => typeof bound !== "number" || isWithin(value, bound);
      },
      error: {
        message: ({ schema, parentSchema }) => `must be ${sign} ${String(limitOf(schema, parentSchema ?? {}))}`,
      },
      errors: false,
    });
  }
  return ajv;
}
