/** How values are compared: as names, as ranks, or as numbers. */
export type MeasurementLevel = "nominal" | "ordinal" | "interval";

/**
 * Returns Krippendorff's alpha, the agreement of several judges beyond chance: 1 if they always agree, 0 if they agree
 * as often as by chance, below 0 if less often. Each unit is the list of values that the judges gave to one item, in
 * any order; `undefined` is a missing value. Units with fewer than two values are ignored. `undefined` if no unit is
 * left, or if all values are equal, because agreement by chance is then certain.
 *
 * Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections C and D.
 */
export function krippendorffAlpha(
  units: readonly (readonly (number | undefined)[])[],
  level: MeasurementLevel,
): number | undefined {
  const pairable = units
    .map((unit) => unit.filter((value) => value !== undefined))
    .filter((values) => values.length >= 2);
  const totals = countValues(pairable.flat());
  const count = pairable.flat().length;
  const distance = distanceOf(level, totals);
  const observed = sumOf(pairable, (values) => disagreement(values, distance) / (values.length - 1));
  let expected = 0;
  for (const [left, leftCount] of totals) {
    for (const [right, rightCount] of totals) expected += leftCount * rightCount * distance(left, right);
  }
  return expected === 0 ? undefined : 1 - ((count - 1) * observed) / expected;
}

type Distance = (left: number, right: number) => number;

function countValues(values: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const value of [...values].sort((left, right) => left - right)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Returns the squared difference of two values at a level of measurement. */
function distanceOf(level: MeasurementLevel, totals: ReadonlyMap<number, number>): Distance {
  if (level === "nominal") return (left, right) => (left === right ? 0 : 1);
  if (level === "interval") return (left, right) => (left - right) ** 2;
  const ranks = ranksOf(totals);
  return (left, right) => ((ranks.get(left) ?? 0) - (ranks.get(right) ?? 0)) ** 2;
}

/**
 * Returns the mean rank of each value. The ordinal difference of two values is the difference of their mean ranks.
 */
function ranksOf(totals: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  let below = 0;
  for (const [value, count] of totals) {
    ranks.set(value, below + count / 2);
    below += count;
  }
  return ranks;
}

/** Returns the sum of the distances of all ordered pairs of values. */
function disagreement(values: readonly number[], distance: Distance): number {
  return sumOf(values, (left) => sumOf(values, (right) => distance(left, right)));
}

function sumOf<T>(values: readonly T[], measure: (value: T) => number): number {
  return values.reduce((sum, value) => sum + measure(value), 0);
}
