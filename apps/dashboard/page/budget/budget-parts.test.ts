import { expect, test } from "vitest";
import { budgetParts } from "./budget-parts.ts";

const USED = { usd_used: 3.1, usd_reserved: 0, tokens_used: 412_034, tokens_reserved: 0, active_runs: 1 };
const RESETS = { resets_at: "2026-11-30T00:00:00.000Z" };

test("a budget is described with its limits and reservations, as far as there are any", () => {
  const end = "a new day begins at 2026-11-30 00:00 UTC";
  expect(budgetParts({ ...USED, ...RESETS })).toEqual(["$3.10", "412,034 tokens", "1 active runs", end]);
  const limits = { usd_per_day: 20, tokens_per_day: 5_000_000, concurrent_runs: 3 };
  expect(budgetParts({ ...USED, ...RESETS, ...limits, usd_reserved: 0.4, tokens_reserved: 900 })).toEqual([
    "$3.10 of $20.00 ($0.40 reserved)",
    "412,034 of 5,000,000 tokens (900 reserved)",
    "1 of 3 active runs",
    end,
  ]);
});
