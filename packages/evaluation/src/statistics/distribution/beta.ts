const LANCZOS = [
  ...[676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406],
  ...[12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7],
];
const MAX_STEPS = 500;
const ACCURACY = 1e-15;
/** Replaces zero denominators of the continued fraction. */
const TINY = 1e-300;

/** Returns the natural logarithm of the gamma function for `x` > 0. Source: Lanczos 1964, with g = 7 and nine terms. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x + 6.5;
  const sum = LANCZOS.reduce((total, term, index) => total + term / (x + index), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

/** Returns the natural logarithm of the beta function for positive arguments. */
function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/**
 * Returns the regularised incomplete beta function: the probability that a Beta(a, b) variable is at most `x`.
 *
 * Source: continued fraction 26.5.8 of Abramowitz and Stegun 1964, evaluated with Lentz's method.
 */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  return front * betaFraction(x, a, b);
}

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const place = a + 2 * step;
    const terms = [
      (step * (b - step) * x) / ((place - 1) * place),
      (-(a + step) * (a + b + step) * x) / (place * (place + 1)),
    ];
    let change = 1;
    for (const term of terms) {
      d = 1 / nonZero(1 + term * d);
      c = nonZero(1 + term / c);
      change = c * d;
      value *= change;
    }
    if (Math.abs(change - 1) < ACCURACY) break;
  }
  return value;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
