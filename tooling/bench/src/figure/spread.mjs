// @ts-check

/** Minimum, median and maximum of some numbers. @typedef {{ min: number, median: number, max: number }} Spread */

/**
 * Returns a quantile of some numbers.
 * @param {readonly number[]} values
 * @param {number} share 0 to 1
 * @returns {number}
 */
export function quantileOf(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN];
  return below + (above - below) * (place % 1);
}

/**
 * @param {readonly number[]} values
 * @returns {number}
 */
export function medianOf(values) {
  return quantileOf(values, 0.5);
}

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
export function spreadOf(values) {
  return { min: quantileOf(values, 0), median: medianOf(values), max: quantileOf(values, 1) };
}
