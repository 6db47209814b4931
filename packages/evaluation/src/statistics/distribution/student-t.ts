import { betaCdf } from "./beta.ts";
import { normalQuantile } from "./normal.ts";

const STEPS = 80;
/** Degrees of freedom above which the normal distribution is used; the difference is then below 1e-8. */
const NORMAL_FROM = 1e8;

/** Returns the probability that a variable of Student's t distribution is at most `t`. Source: Student 1908. */
export function studentTCdf(t: number, degreesOfFreedom: number): number {
  const tail = betaCdf(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** Returns the value that a variable of Student's t distribution does not exceed with the given probability. */
export function studentTQuantile(probability: number, degreesOfFreedom: number): number {
  if (probability < 0.5) return -studentTQuantile(1 - probability, degreesOfFreedom);
  if (probability === 0.5) return 0;
  if (degreesOfFreedom >= NORMAL_FROM) return normalQuantile(probability);
  let high = 2;
  while (studentTCdf(high, degreesOfFreedom) < probability) high *= 2;
  let low = 0;
  for (let step = 0; step < STEPS && high - low > 1e-13 * high; step += 1) {
    const middle = (low + high) / 2;
    if (studentTCdf(middle, degreesOfFreedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
