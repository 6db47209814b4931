import { NO_USAGE } from "@switchyard/contracts";
import { expect, test } from "vitest";
import type { AnswerUsage } from "../timeline/entry.ts";
import { cachedTokensOf } from "./sum-of.ts";

test("cached tokens are summed over all responses, including those without a count", () => {
  const usages = [{ ...NO_USAGE, cacheReadTokens: 1_000 }, { ...NO_USAGE }, { ...NO_USAGE, cacheReadTokens: 24 }];
  expect(cachedTokensOf(usages.map((usage): AnswerUsage => ({ agentId: "agent", usage })))).toBe(1_024);
});
