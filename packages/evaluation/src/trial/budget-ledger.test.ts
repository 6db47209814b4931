import { expect, test } from "vitest";
import { createBudgetLedger } from "./budget-ledger.ts";

test("time is measured with the given clock, and sessions get the remaining time", () => {
  let nowMs = 5_000;
  const ledger = createBudgetLedger({ minutes: 2 }, { monotonic: () => nowMs });
  expect(ledger.remainingSeconds()).toBe(120);
  expect(ledger.forSession()).toBeUndefined();
  nowMs += 90_500;
  expect([ledger.exhausted(), ledger.remainingSeconds()]).toEqual([undefined, 30]);
  nowMs += 29_500;
  expect(ledger.exhausted()).toBe("The 2 min of the budget are over.");
});

test("cost and tokens are counted, and an unknown amount of a limited resource is noted", () => {
  const ledger = createBudgetLedger({ costUsd: 1, totalTokens: 100 }, { monotonic: () => 0 });
  ledger.spend({ input_tokens: 30, output_tokens: 10, cost_usd: 0.25 });
  expect(ledger.forSession()).toEqual({ costMicros: 750_000, totalTokens: 60 });
  expect([ledger.exhausted(), ledger.hasUnknown, ledger.remainingSeconds()]).toEqual([undefined, false, undefined]);
  ledger.spend({ input_tokens: 60, output_tokens: 0 });
  expect(ledger.exhausted()).toBe("The budget is used up: 100 of 100 tokens.");
  expect(ledger.hasUnknown).toBe(true);
});
