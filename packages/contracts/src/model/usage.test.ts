import fc from "fast-check";
import { expect, test } from "vitest";
import type { Usage } from "../index.ts";
import { addUsage, NO_USAGE } from "../index.ts";

test("adds numbers, preserves absence, and the left model wins [engine-token-usage-1] [client-usage-1]", () => {
  const left: Usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadTokens: 4, model: "a" };
  const right: Usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3, reasoningTokens: 1, model: "b" };
  expect(addUsage(left, right)).toEqual({
    inputTokens: 11,
    outputTokens: 7,
    totalTokens: 18,
    cacheReadTokens: 4,
    reasoningTokens: 1,
    model: "a",
  });
});

test("no usage is neutral on both sides and addition does not depend on grouping", () => {
  const tokens = fc.nat(1_000_000);
  const usage: fc.Arbitrary<Usage> = fc.record(
    { inputTokens: tokens, outputTokens: tokens, totalTokens: tokens, cacheReadTokens: tokens, costMicros: tokens },
    { requiredKeys: ["inputTokens", "outputTokens", "totalTokens"] },
  );
  fc.assert(
    fc.property(usage, usage, usage, (a, b, c) => {
      expect(addUsage(a, NO_USAGE)).toEqual(a);
      expect(addUsage(NO_USAGE, a)).toEqual(a);
      expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)));
    }),
  );
});

test("a sum of known and unknown costs never appears known", () => {
  const priced: Usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2, costMicros: 7 };
  const unpriced: Usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  expect(addUsage(priced, unpriced)).toMatchObject({ costMicros: 7, isCostPartial: true });
  expect(addUsage(addUsage(unpriced, priced), priced)).toMatchObject({ costMicros: 14, isCostPartial: true });
  expect(addUsage(priced, priced)).not.toHaveProperty("isCostPartial");
  const unknown = addUsage(unpriced, unpriced);
  expect(unknown).not.toHaveProperty("costMicros");
  expect(unknown).not.toHaveProperty("isCostPartial");
});

test("cached tokens are part of the input tokens and are never added to them [engine-token-usage-2]", () => {
  const call = { inputTokens: 100, outputTokens: 10, totalTokens: 110, cacheReadTokens: 80, cacheWriteTokens: 20 };
  const sum = addUsage(call, call);
  expect([sum.inputTokens, sum.totalTokens, sum.cacheReadTokens]).toEqual([200, 220, 160]);
  expect((sum.cacheReadTokens ?? 0) + (sum.cacheWriteTokens ?? 0)).toBeLessThanOrEqual(sum.inputTokens);
});
