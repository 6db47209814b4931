import type { Ajv } from "ajv";

/** How far a product may be from its number, as a part of it: what rounding makes of fractions such as 0.01. */
const ROUNDING = 2 * Number.EPSILON;

function isMultiple(value: number, step: number): boolean {
  return step !== 0 && Math.abs(Math.round(value / step) * step - value) <= ROUNDING * Math.abs(value);
}

/** Puts a `multipleOf` in the place of the validator's, to which 19.99 is no multiple of 0.01. */
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

/** Takes exclusive limits as draft-04 has them: a boolean beside the limit. Numbers mean what they mean later. */
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
