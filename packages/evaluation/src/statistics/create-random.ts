/** Returns the next number of a pseudo-random sequence, from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

const SIZE = 2 ** 32;
/** Number of values that are discarded at the start of a sequence, so that similar seeds give unrelated sequences. */
const WARM_UP = 16;

/**
 * Creates a pseudo-random sequence that depends on the seed alone: the same seed gives the same sequence on every
 * machine. Not suitable for cryptography.
 *
 * Algorithm: sfc32 by Chris Doty-Humphrey (PractRand, 2010).
 */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, Math.floor(seed / SIZE) | 0, 0x9e3779b9 | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / SIZE;
  };
  for (let index = 0; index < WARM_UP; index += 1) next();
  return next;
}
