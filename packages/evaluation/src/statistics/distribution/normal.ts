const UPPER = [3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871];
const NUMERATOR = [...UPPER, 221.213596169931, 220.206867912376];
const LOWER = [8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674];
const DENOMINATOR = [...LOWER, 637.333633378831, 793.826512519948, 440.413735824752];
/**
 * Above this value, a continued fraction approximates the distribution more accurately than a rational function does.
 */
const FAR = 7.07106781186547;
const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);

/**
 * Returns the probability that a standard normal variable is at most `z`. Absolute error: below 1e-14.
 *
 * Source: Hart 1968, as given by West 2005, "Better approximations to cumulative normal functions".
 */
export function normalCdf(z: number): number {
  const size = Math.abs(z);
  const density = Math.exp((-size * size) / 2);
  const tail =
    size < FAR
      ? (density * polynomial(NUMERATOR, size)) / polynomial(DENOMINATOR, size)
      : density / (size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))))) / ROOT_TWO_PI;
  return z > 0 ? 1 - tail : tail;
}

const CENTRE_TOP = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716];
const CENTRE_BOTTOM = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572,
];
const TAIL_TOP = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734];
const TAIL_BOTTOM = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
/** Probability below which the tail approximation is used. */
const TAIL = 0.02425;

/**
 * Returns the value that a standard normal variable does not exceed with the given probability.
 *
 * Source: Acklam 2003, "An algorithm for computing the inverse normal cumulative distribution function", with one
 * Halley step, which brings the error from 1e-9 to the accuracy of `normalCdf`.
 */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return Number.NEGATIVE_INFINITY;
  if (probability >= 1) return Number.POSITIVE_INFINITY;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const start = approximateQuantile(probability);
  const error = (normalCdf(start) - probability) * ROOT_TWO_PI * Math.exp((start * start) / 2);
  return start - error / (1 + (start * error) / 2);
}

function approximateQuantile(probability: number): number {
  if (probability < TAIL) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return polynomial([...TAIL_TOP, 4.374664141464968, 2.938163982698783], q) / polynomial([...TAIL_BOTTOM, 1], q);
  }
  const q = probability - 0.5;
  return (q * polynomial([...CENTRE_TOP, 2.506628277459239], q * q)) / polynomial([...CENTRE_BOTTOM, 1], q * q);
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}
