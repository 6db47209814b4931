// @ts-check
import { nameCase } from "./case-name.mjs";
import { seededRandom } from "./seeded-random.mjs";

/** @import { Harm } from "./case-name.mjs" */
/** @import { Reference } from "./reference-run.mjs" */

/**
 * How much is run.
 * @typedef {{ seed: number, short: boolean }} Extent
 */

/**
 * How many cases of a kind there are, in a short sweep and in a full one. `at` says at which of the boundaries.
 * @typedef {{ variant: string, harm: Harm, isSeeded?: boolean, at?: "work" | "stops", short: number, full: number }} Kind
 */

/** @type {readonly Kind[]} */
const KINDS = [
  { variant: "file", harm: "kill", short: 24, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "kill", isSeeded: true, short: 3, full: 60 },
  { variant: "file", harm: "rename", short: 2, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "fsync", short: 2, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "fdatasync", short: 2, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "duel", at: "work", short: 1, full: 8 },
  { variant: "file", harm: "damage", at: "work", short: 1, full: 8 },
  { variant: "file", harm: "zombie", at: "stops", short: 2, full: 20 },
  { variant: "file", harm: "zombie-lease", at: "stops", short: 1, full: 4 },
  { variant: "volatile", harm: "kill", short: 8, full: 120 },
  { variant: "volatile", harm: "kill", isSeeded: true, short: 3, full: 60 },
  { variant: "sqlite", harm: "kill", short: 4, full: 60 },
  { variant: "sqlite", harm: "kill", isSeeded: true, short: 1, full: 20 },
  { variant: "sqlite", harm: "fsync", short: 1, full: 30 },
  { variant: "sqlite", harm: "duel", at: "work", short: 1, full: 4 },
  { variant: "sqlite", harm: "zombie", at: "stops", short: 1, full: 8 },
];

/**
 * Every case of a sweep over what is meant to be right. `references` has an uninterrupted run of each variant; one
 * that is not there is like that of `file`.
 * @param {{ file: Reference } & Record<string, Reference>} references
 * @param {Extent} extent
 * @returns {string[]}
 */
export function planCases(references, { seed, short }) {
  const random = seededRandom(seed);
  return KINDS.flatMap(({ variant, harm, isSeeded, at, ...wanted }) => {
    const places = placesFor(references[variant] ?? references.file, harm, at);
    return spread(places, short ? wanted.short : wanted.full).map((place) => {
      if (isSeeded !== true) return nameCase(variant, harm, { at: place });
      return nameCase(variant, harm, { at: place, seed: Math.floor(random() * 1e6) });
    });
  });
}

/**
 * @param {Reference} reference
 * @param {Harm} harm
 * @param {Kind["at"]} at
 * @returns {number[]}
 */
function placesFor({ labels, syscalls }, harm, at) {
  const count = harm === "rename" || harm === "fsync" || harm === "fdatasync" ? (syscalls[harm] ?? 0) : labels.length;
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (at === undefined) return all;
  const atWork = all.slice(labels.indexOf("model call"), labels.lastIndexOf("model answer"));
  if (at === "work") return atWork;
  const stops = new Set(stopsIn(labels));
  return atWork.filter((place) => stops.has(place));
}

/**
 * Some of the items, evenly, the first and the last among them.
 * @template T
 * @param {readonly T[]} items
 * @param {number} wanted
 * @returns {T[]}
 */
export function spread(items, wanted) {
  if (items.length <= wanted) return [...items];
  const step = (items.length - 1) / Math.max(1, wanted - 1);
  return Array.from({ length: wanted }, (_, index) => items[Math.round(index * step)]).flatMap((item) => item ?? []);
}

/**
 * The boundaries at which a process may be stopped and taken over: where it meets the store before the world. No store
 * can hold back an effect that a process was about to start, or was at, when it was stopped.
 * @param {readonly string[]} labels
 * @returns {number[]}
 */
export function stopsIn(labels) {
  return labels.flatMap((label, index) => {
    if (!/^(model|within file|(before|after) file (write|sync)|before store (append|save))/.test(label)) return [];
    const next = labels
      .slice(index + 1)
      .find((later) => /^(before|after) (checkpoint|shell|write|remove|rename)/.test(later));
    return next?.endsWith("checkpoint") === true ? [index + 1] : [];
  });
}
