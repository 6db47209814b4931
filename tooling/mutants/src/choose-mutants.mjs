// @ts-check
import { createHash } from "node:crypto";

/** @import { Mutant } from "./find-mutants.mjs" */

/**
 * Options for choosing mutants. A mutant that is not valid code is skipped.
 * @typedef {{ seed: number, count: number, isValid(mutant: Mutant): boolean }} Choice
 */

/**
 * Chooses mutants: each package gets a share by the number of its mutants, at least one, and within a package the kinds
 * take turns. A mutant's rank depends on the seed and its id alone, so a change elsewhere replaces few of the chosen.
 * @param {ReadonlyMap<string, readonly Mutant[]>} mutantsOf by package folder
 * @param {Choice} choice
 * @returns {Mutant[]}
 */
export function chooseMutants(mutantsOf, { seed, count, isValid }) {
  const sizes = new Map([...mutantsOf].map(([folder, mutants]) => [folder, mutants.length]));
  const shares = shareBySize(sizes, count);
  return [...mutantsOf].flatMap(([folder, mutants]) =>
    chooseInTurns(mutants, { seed: `${seed} ${folder}`, count: shares.get(folder) ?? 0, isValid }),
  );
}

/**
 * Splits a number by size: everything with a size gets one first, the rest goes by the largest remainder.
 * @param {ReadonlyMap<string, number>} sizes
 * @param {number} count
 * @returns {Map<string, number>}
 */
export function shareBySize(sizes, count) {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const wanted = [...sizes]
    .filter(([, size]) => size > 0)
    .map(([name, size]) => ({ name, exact: (count * size) / total, share: 0, size }))
    .sort((one, other) => other.size - one.size);
  let left = count;
  /** @type {(entry: typeof wanted[number], more: number) => void} */
  const give = (entry, more) => {
    const given = Math.max(0, Math.min(more, left, entry.size - entry.share));
    entry.share += given;
    left -= given;
  };
  for (const entry of wanted) give(entry, 1);
  for (const entry of wanted) give(entry, Math.floor(entry.exact) - entry.share);
  const byRest = [...wanted].sort((one, other) => other.exact - other.share - (one.exact - one.share));
  while (left > 0 && wanted.some(({ share, size }) => share < size)) for (const entry of byRest) give(entry, 1);
  return new Map(wanted.map(({ name, share }) => [name, share]));
}

/**
 * @param {readonly Mutant[]} mutants
 * @param {{ seed: string, count: number, isValid(mutant: Mutant): boolean }} choice
 * @returns {Mutant[]}
 */
function chooseInTurns(mutants, { seed, count, isValid }) {
  /** @type {Map<string, Mutant[]>} */
  const byKind = new Map();
  for (const mutant of [...mutants].sort((one, other) => rank(seed, one.id) - rank(seed, other.id))) {
    byKind.set(mutant.kind, [...(byKind.get(mutant.kind) ?? []), mutant]);
  }
  // The kind whose turn it is first differs from package to package.
  const queues = [...byKind].sort(([one], [other]) => rank(seed, one) - rank(seed, other));
  /** @type {Mutant[]} */
  const chosen = [];
  while (chosen.length < count && queues.some(([, queue]) => queue.length > 0)) {
    for (const [, queue] of queues) {
      const next = queue.shift();
      if (next !== undefined && chosen.length < count && isValid(next)) chosen.push(next);
    }
  }
  return chosen;
}

/**
 * @param {string} seed
 * @param {string} id
 * @returns {number}
 */
function rank(seed, id) {
  return createHash("sha256").update(`${seed} ${id}`).digest().readUInt32BE(0);
}
