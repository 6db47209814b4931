import { expect, test } from "vitest";
import { tickStepMs } from "./tick-step.ts";

test("an axis of any length has few ticks at round times", () => {
  expect([3, 700, 4_000, 55_000, 200_000, 5_400_000].map(tickStepMs)).toEqual([1, 200, 1_000, 10_000, 60_000, 900_000]);
  for (let lengthMs = 1; lengthMs < 1e12; lengthMs *= 3) expect(lengthMs / tickStepMs(lengthMs)).toBeLessThanOrEqual(6);
});
