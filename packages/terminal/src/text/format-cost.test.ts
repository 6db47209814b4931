import { expect, test } from "vitest";
import { formatCost } from "./format-cost.ts";

const TOKENS = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

test.each([
  [{ ...TOKENS, costMicros: 12_345 }, "$0.0123"],
  [{ ...TOKENS, costMicros: 2_500_000 }, "$2.50"],
  [{ ...TOKENS, costMicros: 99 }, "less than $0.0001"],
  [{ ...TOKENS, costMicros: 0 }, "$0.0000"],
  [{ ...TOKENS, costMicros: 500_000, isCostPartial: true }, "at least $0.5000"],
  [TOKENS, "cost unknown"],
  [{ inputTokens: 0, outputTokens: 0, totalTokens: 0 }, ""],
])("%j costs %j", (usage, text) => {
  expect(formatCost(usage)).toBe(text);
});
