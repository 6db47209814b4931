import type { CaseCounts } from "./case-counts.ts";

/**
 * Returns the unbiased estimate of `pass@k` for one case: the probability that at least one of `k` runs passes.
 * `undefined` if the case has fewer than `k` runs.
 *
 * Source: Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1.
 */
export function passAtK({ passed, runs }: CaseCounts, k: number): number | undefined {
  return k < 1 || k > runs ? undefined : 1 - chooseRatio(runs - passed, runs, k);
}

/**
 * Returns the unbiased estimate of `pass^k` for one case: the probability that all of `k` runs pass. `undefined` if the
 * case has fewer than `k` runs.
 *
 * Source: Yao et al. 2024, "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains", section 3.
 */
export function passHatK({ passed, runs }: CaseCounts, k: number): number | undefined {
  return k < 1 || k > runs ? undefined : chooseRatio(passed, runs, k);
}

/** Returns the number of ways to choose `k` of `part`, divided by the number of ways to choose `k` of `whole`. */
function chooseRatio(part: number, whole: number, k: number): number {
  let ratio = 1;
  for (let index = 0; index < k; index += 1) ratio *= Math.max(0, part - index) / (whole - index);
  return ratio;
}
