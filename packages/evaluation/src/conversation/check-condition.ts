import type { TurnCondition } from "../suite/eval-suite.ts";

/** Returns why the response to a turn does not meet the turn's condition. `undefined` if it does. */
export function checkCondition({ all, any, not }: TurnCondition, response: string): string | undefined {
  const missing = all.find((text) => !response.includes(text));
  if (missing !== undefined) return `The response does not contain ${JSON.stringify(missing)}.`;
  if (any.length > 0 && !any.some((text) => response.includes(text)))
    return `The response contains none of ${any.map((text) => JSON.stringify(text)).join(", ")}.`;
  const forbidden = not.find((text) => response.includes(text));
  return forbidden === undefined ? undefined : `The response contains ${JSON.stringify(forbidden)}.`;
}
