/** Returns numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Mixes numbers into a seed. */
export function mixSeed(...numbers: readonly number[]): number {
  let seed = 0x9e3779b9;
  for (const number of numbers) {
    seed = Math.imul(seed ^ number, 0x85ebca6b);
    seed ^= seed >>> 13;
    seed = Math.imul(seed, 0xc2b2ae35);
    seed ^= seed >>> 16;
  }
  return seed >>> 0;
}

/** Creates a generator of pseudo-random numbers that depend only on the seed (xorshift32). */
export function seededRandom(seed: number): Random {
  let state = mixSeed(seed) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Returns one element of a non-empty list. */
export function pick<const T>(random: Random, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0];
}

/** Returns an integer from `least` to `most`. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Splits a text into chunks of random lengths, between characters. */
export function cutText(random: Random, text: string): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; ) {
    const end = start + between(random, 1, 16);
    pieces.push(characters.slice(start, end).join(""));
    start = end;
  }
  return pieces;
}
