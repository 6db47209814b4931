// @ts-check

/**
 * Returns a reproducible generator of numbers from 0 to 1 (mulberry32).
 * @param {number} seed
 * @returns {() => number}
 */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = "the run reads a file, then edits it: const total = items.length; return error text of line 42\n".split(
  " ",
);

/**
 * Returns reproducible text that resembles code and prose.
 * @param {number} length in characters
 * @param {() => number} random
 * @returns {string}
 */
export function randomText(length, random) {
  let text = "";
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text.slice(0, length);
}
