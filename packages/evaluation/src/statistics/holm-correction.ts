/**
 * Adjusts the p-values of several comparisons, so that the probability of any false alarm among them stays at most the
 * significance level. Returns the adjusted values in the same order.
 *
 * Source: Holm 1979, "A simple sequentially rejective multiple test procedure".
 */
export function holmCorrection(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((one, other) => (pValues[one] ?? 1) - (pValues[other] ?? 1));
  const adjusted = pValues.map(() => 1);
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (pValues[index] ?? 1) * (pValues.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}
