import { minimumDetectableDifference } from "../statistics/index.ts";
import type { EvalSuite } from "../suite/eval-suite.ts";

/** Significance level of all comparisons together. */
const ALPHA = 0.05;

/**
 * Returns the line that says which differences the planned runs can detect. Empty for a single engine and variant. With
 * several comparisons, the significance level is that of the first and strictest step of Holm's correction.
 */
export function describePlan({
  cases: { length: cases },
  engines,
  variants,
  iterations,
}: Pick<EvalSuite, "cases" | "engines" | "variants" | "iterations">): string[] {
  const groups = engines.length * variants.length;
  if (groups < 2 || cases === 0) return [];
  const alpha = ALPHA / ((groups * (groups - 1)) / 2);
  const difference = minimumDetectableDifference({ cases, iterations, alpha });
  if (difference === undefined) return ["Too few cases to show that a difference is more than chance. Add cases."];
  const points = Math.ceil(difference * 100);
  return [`Detects differences of about ${points} percentage points or more (80 % power, 5 % significance level).`];
}
