// @ts-check
/** @import { DeepFailure, DeepSuite } from "../../deep-suite.mjs" */
/** @import { Masker, Redactor } from "@switchyard/secrets" */
import { createMasker, createRedactor, REDACTED } from "@switchyard/secrets";
import { readCorpus } from "./corpus.mjs";
import { ENCODINGS } from "./encodings.mjs";

const NAMES = Object.keys(ENCODINGS);
/** Characters that need the same number of digits in every encoding. */
const CLASSES = ["0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abc", "defghijklmnopqrstuvwxyz"];
const LETTERS = CLASSES.join("");
/**
 * Lengths of the secrets of each composition, one from each list: short secrets, and secrets that may fill lines of
 * encoded text.
 */
const LENGTHS = /** @type {const} */ ([
  [8, 9, 10, 11, 12, 13, 14, 15, 16],
  [12, 16, 18, 20, 24, 30, 36, 40, 45, 48, 57, 60, 100],
]);
/** Lengths for single encodings. */
const ALL_LENGTHS = Array.from({ length: 93 }, (_, index) => 8 + index).filter(
  (length) => length < 50 || length % 4 === 0,
);
/** Text before and after a secret, which is encoded with it. The secret can start at every alignment. */
const STARTS = /** @type {const} */ (["", "k", "is", "key is ", "12345", "0123456", "012345678 "]);
const ENDS = /** @type {const} */ (["", "x", "\n", " and more text\n"]);
/** Number of further secrets whose masked output must be the same. */
const OTHERS = 2;
const BEFORE = "first line of a log\n";
const AFTER = "\nlast line of it\n";
const MAX_WRONG_SHARE = 1 / 10_000;
/** Maximum fraction of compositions in which adjacent text may be masked too. */
const MAX_EXCESS_SHARE = 1 / 1000;

/** Returns a generator of numbers from 0 to 1. @param {number} seed @returns {() => number} */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {string} letters @param {() => number} random */
const pick = (letters, random) => letters.charAt(Math.floor(random() * letters.length));

/** @template Item @param {readonly [Item, ...Item[]]} items @param {() => number} random @returns {Item} */
const pickItem = (items, random) => items[Math.floor(random() * items.length)] ?? items[0];

/** Letters and digits directly before an encoding, as in a path. */
const PREFIXES = /** @type {const} */ (["/", "x", "ab", "v1/", "cafe", "id-"]);
/** Dumps with offsets and folded texts, which are recognised by the start or width of their lines. */
const LINES = /^(?:xxd|hexdump|hexdump -C|od\b.*|fold.*)$/;

/**
 * Returns one to three encodings. Every composition occurs once before any is repeated: first the single encodings, then
 * alternately pairs and triples, in an order that depends on the seed.
 * @param {number} index @param {number} seed
 */
export function compositionOf(index, seed) {
  const count = NAMES.length;
  const [pairs, triples] = [count ** 2, count ** 3];
  const base = index % (count + pairs + triples);
  if (base < count) return [NAMES[base] ?? ""];
  const rest = base - count;
  const isPair = rest < 2 * pairs && rest % 2 === 0;
  const position = rest < 2 * pairs ? Math.floor(rest / 2) : rest - pairs;
  // The factors are primes, so that every position occurs once.
  let code = (5003 * position + 7919 * seed) % (isPair ? pairs : triples);
  return Array.from({ length: isPair ? 2 : 3 }, () => {
    const name = NAMES[code % count] ?? "";
    code = Math.floor(code / count);
    return name;
  });
}

/**
 * Returns texts that differ only in the canary, encoded in the same way.
 * @param {readonly string[]} names
 * @param {number} length
 * @param {() => number} random
 */
function makeTexts(names, length, random) {
  const canary = Array.from({ length }, () => pick(LETTERS, random)).join("");
  const others = Array.from({ length: OTHERS }, () =>
    [...canary].map((letter) => pick(CLASSES.find((letters) => letters.includes(letter)) ?? LETTERS, random)).join(""),
  );
  const [start, end] = [pickItem(STARTS, random), pickItem(ENDS, random)];
  const mayFollow = !names.some((name) => LINES.test(name));
  const prefix = random() < 0.5 && mayFollow ? pickItem(PREFIXES, random) : "";
  /** @param {string} value */
  const encode = (value) => {
    let text = `${start}${value}${end}`;
    for (const name of names) text = ENCODINGS[name]?.(text) ?? text;
    return `${BEFORE}${prefix}${text}${AFTER}`;
  };
  return { canary, text: encode(canary), others: others.map((value) => ({ value, text: encode(value) })) };
}

/** @param {Masker} masker @param {string} text @param {() => number} random */
function maskInPieces(masker, text, random) {
  const stream = masker.stream();
  const most = 1 + Math.floor(random() * 60);
  let output = "";
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(random() * most);
    output += stream.write(text.slice(at, at + size));
    at += size;
  }
  return output + stream.end();
}

/**
 * Checks a composition; a single encoding with canaries of many lengths.
 * @param {(values: readonly string[]) => Masker} create
 * @param {{ index: number, seed: number }} at
 */
function checkComposition(create, { index, seed }) {
  const random = createRandom(seed * 1_000_003 + index);
  const names = compositionOf(index, seed);
  const lengths = names.length === 1 ? ALL_LENGTHS : LENGTHS.map((list) => pickItem(list, random));
  const checked = lengths.map((length) => checkTexts(create, makeTexts(names, length, random), random));
  const problem = checked.map((one) => one.problem).find((found) => found !== undefined);
  const excess = checked.map((one) => one.excess).find((found) => found !== undefined);
  const title = names.join(" | ");
  return {
    canaries: lengths.length,
    problem: problem && `${title} of ${problem}`,
    excess: excess && `${title} of ${excess}`,
  };
}

/**
 * Checks that the masked text does not depend on the canary or on how the text is split.
 * @param {(values: readonly string[]) => Masker} create
 * @param {ReturnType<typeof makeTexts>} made
 * @param {() => number} random
 * @returns {{ problem?: string, excess?: string }} What is wrong, and whether more than the canary is masked.
 */
function checkTexts(create, { canary, text, others }, random) {
  const masker = create([canary]);
  const masked = masker.mask(text);
  const title = `${canary.length} characters`;
  if (!masked.includes(REDACTED)) return { problem: `${title}: the canary survives` };
  if (others.some((other) => create([other.value]).mask(other.text) !== masked)) {
    return { problem: `${title}: the canary survives in part: the masked output depends on it` };
  }
  const isExcess = !masked.startsWith(BEFORE) || !masked.endsWith(AFTER);
  const excess = isExcess ? { excess: `${title}: text beside the canary is masked` } : {};
  if (maskInPieces(masker, text, random) === masked) return excess;
  return { ...excess, problem: `${title}: a split of the stream gives another result` };
}

/**
 * Returns the number of words of `text` that are missing in `masked`.
 * @param {string} text @param {string} masked @param {string} marker
 */
function countLostWords(text, masked, marker) {
  if (text === masked) return { words: text.split(/\s+/).length, lost: 0 };
  const words = text.split(/\s+/);
  return { words: words.length, lost: masked.split(/\s+/).filter((word) => word.includes(marker)).length };
}

/** @param {{ chars: number, random: () => number, masker: Masker, redactor: Redactor }} options */
function checkCorpus({ chars, random, masker, redactor }) {
  const figures = {
    "ordinary words": 0,
    "ordinary words that the masker changed": 0,
    "ordinary words that the redactor changed": 0,
  };
  for (const { text } of readCorpus(chars, random)) {
    if (text.includes(REDACTED)) continue;
    const known = countLostWords(text, masker.mask(text), REDACTED);
    figures["ordinary words"] += known.words;
    figures["ordinary words that the masker changed"] += known.lost;
    figures["ordinary words that the redactor changed"] += countLostWords(text, redactor.text(text), REDACTED).lost;
  }
  return figures;
}

/**
 * Creates the suite for an implementation of maskers.
 * @param {{ create: (values: readonly string[]) => Masker, redactor: Redactor }} implementation
 * @returns {DeepSuite}
 */
export function createRedactionSuite({ create, redactor }) {
  return {
    name: "redaction",
    title:
      "Each test case of this suite prints a random secret in up to three combined encodings. The masked output must be the same for every secret and for every way in which the text is split into chunks, and text without secrets must not change.",
    counts: { deep: NAMES.length + NAMES.length ** 2 + NAMES.length ** 3, quick: 350 },
    async run({ seed, first, count, log }) {
      /** @type {DeepFailure[]} */
      const failures = [];
      /** @type {DeepFailure[]} */
      const excesses = [];
      let canaries = 0;
      for (let index = first; index < first + count; index += 1) {
        const checked = checkComposition(create, { index, seed });
        const { problem, excess } = checked;
        canaries += checked.canaries;
        if (problem !== undefined) failures.push({ case: index, problem });
        if (excess !== undefined) excesses.push({ case: index, problem: excess });
        if (index % 2000 === 1999) log(`${index + 1} compositions`);
      }
      for (const { case: index, problem } of excesses) log(`case ${index}: ${problem}`);
      if (excesses.length > count * MAX_EXCESS_SHARE) failures.push(...excesses);
      const random = createRandom(seed);
      const values = Array.from({ length: 20 }, () => Array.from({ length: 24 }, () => pick(LETTERS, random)).join(""));
      // A single case needs no corpus.
      const chars = count === 1 ? 0 : Math.min(24_000_000, count * 2000);
      const corpus = checkCorpus({ chars, random, masker: create(values), redactor });
      const wrong = Math.max(
        corpus["ordinary words that the masker changed"],
        corpus["ordinary words that the redactor changed"],
      );
      if (wrong > corpus["ordinary words"] * MAX_WRONG_SHARE) {
        failures.push({ case: first, problem: `${wrong} of ${corpus["ordinary words"]} ordinary words are masked` });
      }
      const survivors = failures.filter(({ problem }) => problem.includes("survives")).length;
      return {
        cases: count,
        figures: {
          ...{
            "combinations of encodings": count,
            secrets: canaries,
            "streams that were split": canaries,
            "secrets that were not masked": survivors,
          },
          "combinations in which text next to the secret was masked": excesses.length,
          ...corpus,
        },
        failures,
      };
    },
  };
}

/** Suite for the project's maskers. */
export const redactionSuite = createRedactionSuite({ create: createMasker, redactor: createRedactor() });
