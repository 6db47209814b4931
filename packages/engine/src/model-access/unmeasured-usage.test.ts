import { NO_USAGE, type Usage } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { findUnmeasuredUsage, type ModelAccess } from "../index.ts";

function accessOf(measured: Usage | undefined, measuresUsage = true): ModelAccess {
  const measuredUsage = measured === undefined ? undefined : () => measured;
  return {
    ...{ baseUrl: "http://127.0.0.1:1", token: secret("a-token"), measuresUsage, measuredUsage },
    close: async () => undefined,
  };
}

function tokens(inputTokens: number, outputTokens: number, costMicros?: number): Usage {
  const counts = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  return costMicros === undefined ? counts : { ...counts, costMicros };
}

test("usage that the engine reports beyond the measured usage is unmeasured", () => {
  const found = findUnmeasuredUsage(accessOf(tokens(10, 2, 5)), { ...tokens(30, 4, 20), model: "m" });
  expect(found?.usage).toEqual({ inputTokens: 20, outputTokens: 2, totalTokens: 22, costMicros: 15, model: "m" });
  expect(found?.message).toContain("reported 34 tokens, but the model gateway measured 12 tokens");
  expect(findUnmeasuredUsage(accessOf(NO_USAGE), tokens(30, 4))?.usage).toEqual(tokens(30, 4));
  expect(findUnmeasuredUsage(accessOf(NO_USAGE), tokens(0, 0, 7))?.usage).toEqual(tokens(0, 0, 7));
});

test("only usage since the given time is compared", () => {
  const access = accessOf(tokens(100, 10));
  expect(findUnmeasuredUsage(access, tokens(50, 5), tokens(50, 5))).toBeUndefined();
  expect(findUnmeasuredUsage(access, tokens(50, 5), tokens(100, 10))?.usage).toEqual(tokens(50, 5));
});

test("equal, smaller and slightly larger usage, and other costs of the same tokens, are no difference", () => {
  const access = accessOf(tokens(90, 10, 5));
  for (const reported of [tokens(90, 10), NO_USAGE, tokens(99, 11), tokens(90, 10, 900)]) {
    expect(findUnmeasuredUsage(access, reported)).toBeUndefined();
  }
  expect(findUnmeasuredUsage(access, tokens(100, 11))?.usage).toEqual(tokens(10, 1));
});

test("without a measurement nothing is compared", () => {
  for (const access of [undefined, accessOf(undefined), accessOf(NO_USAGE, false)]) {
    expect(findUnmeasuredUsage(access, tokens(30, 4))).toBeUndefined();
  }
});
