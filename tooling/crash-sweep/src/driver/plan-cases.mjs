// @ts-check

import { seededRandom } from "@switchyard/suite/seeded-random";
import { modelOf } from "../variants/variants.mjs";
import { nameCase } from "./case-name.mjs";
import { isSyscall } from "./strace.mjs";

/** @import { Harm } from "./case-name.mjs" */
/** @import { Reference, References } from "./reference-run.mjs" */

/**
 * Extent of a sweep, and number of concurrent cases.
 * @typedef {{ seed: number, short: boolean, parallel?: number }} Extent
 */

/**
 * Number of cases of a kind, in a short and in a full sweep. `at` selects the boundaries.
 * @typedef {{ variant: string, harm: Harm, isSeeded?: boolean, at?: "work" | "stops", short: number, full: number }} Kind
 */

/** @type {readonly Kind[]} */
const KINDS = [
  { variant: "file", harm: "kill", short: 4, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "kill", isSeeded: true, short: 1, full: 30 },
  { variant: "file", harm: "rename", short: 1, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "fsync", short: 1, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "fdatasync", short: 1, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "flush", short: 1, full: Number.POSITIVE_INFINITY },
  { variant: "file", harm: "duel", at: "work", short: 1, full: 6 },
  { variant: "file", harm: "damage", at: "work", short: 1, full: 6 },
  { variant: "file", harm: "zombie", at: "stops", short: 1, full: 12 },
  { variant: "file", harm: "zombie-lease", at: "stops", short: 1, full: 3 },
  { variant: "volatile", harm: "kill", short: 2, full: 40 },
  { variant: "volatile", harm: "kill", isSeeded: true, short: 1, full: 20 },
  { variant: "sqlite", harm: "kill", short: 1, full: 20 },
  { variant: "sqlite", harm: "kill", isSeeded: true, short: 1, full: 8 },
  { variant: "sqlite", harm: "fsync", short: 0, full: 8 },
  { variant: "sqlite", harm: "flush", short: 0, full: 8 },
  { variant: "sqlite", harm: "duel", at: "work", short: 1, full: 3 },
  { variant: "sqlite", harm: "zombie", at: "stops", short: 1, full: 5 },
  { variant: "family", harm: "kill", short: 3, full: 120 },
  { variant: "family", harm: "kill", isSeeded: true, short: 1, full: 25 },
  { variant: "family", harm: "flush", short: 0, full: 10 },
  { variant: "family", harm: "duel", at: "work", short: 0, full: 3 },
  { variant: "family", harm: "damage", at: "work", short: 0, full: 3 },
  { variant: "family-volatile", harm: "kill", short: 0, full: 15 },
  { variant: "family-volatile", harm: "kill", isSeeded: true, short: 1, full: 15 },
  { variant: "family-sqlite", harm: "kill", short: 1, full: 20 },
];

/**
 * Returns every case of a sweep over correct variants.
 * @param {References} references
 * @param {Extent} extent
 * @returns {string[]}
 */
export function planCases(references, { seed, short }) {
  const random = seededRandom(seed);
  return KINDS.flatMap(({ variant, harm, isSeeded, at, ...wanted }) => {
    const places = placesFor(references[modelOf(variant)], harm, at);
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
  const count = isSyscall(harm) ? (syscalls[harm] ?? 0) : labels.length;
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (at === undefined) return all;
  const atWork = all.slice(labels.indexOf("model call"), labels.lastIndexOf("model answer"));
  if (at === "work") return atWork;
  const stops = new Set(stopsIn(labels));
  return atWork.filter((place) => stops.has(place));
}

/**
 * Returns evenly distributed items, including the first and the last.
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
 * Returns the boundaries at which a process may be stopped and taken over: where it accesses the store before the
 * outside world. No store can prevent an effect that a stopped process had started.
 * @param {readonly string[]} labels
 * @returns {number[]}
 */
export function stopsIn(labels) {
  return labels.flatMap((label, index) => {
    if (!/^(model|within file|(before|after) file (write|sync)|before store (append|save))/.test(label)) return [];
    const next = labels
      .slice(index + 1)
      .find((later) => /^(before|after) (checkpoint|shell|spawn|write|remove|rename)/.test(later));
    return next?.endsWith("checkpoint") === true ? [index + 1] : [];
  });
}
