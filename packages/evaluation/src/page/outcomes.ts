import type { TrialOutcome } from "../results/trial-result.ts";

/** Symbol and CSS class of each outcome. The symbol makes outcomes distinguishable without colour. */
export const OUTCOMES: Readonly<Record<TrialOutcome, { symbol: string; className: string }>> = {
  PASS: { symbol: "✓", className: "pass" },
  FAIL: { symbol: "✗", className: "fail" },
  ERROR: { symbol: "!", className: "error" },
  SKIPPED: { symbol: "–", className: "skipped" },
};
