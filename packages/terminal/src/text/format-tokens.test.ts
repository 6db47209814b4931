import { expect, test } from "vitest";
import { formatTokens } from "./format-tokens.ts";

test.each([
  [{ inputTokens: 0, outputTokens: 0, totalTokens: 0 }, ""],
  [{ inputTokens: 1, outputTokens: 0, totalTokens: 1 }, "1 token in, 0 out"],
  [{ inputTokens: 12_345, outputTokens: 67, totalTokens: 12_412, cacheReadTokens: 0 }, "12,345 tokens in, 67 out"],
  [
    { inputTokens: 12_345, outputTokens: 67, totalTokens: 12_412, cacheReadTokens: 12_000 },
    "12,345 tokens in (12,000 cached), 67 out",
  ],
])("tokens for people say how many came from the provider's cache: %j", (usage, text) => {
  expect(formatTokens(usage)).toBe(text);
});
