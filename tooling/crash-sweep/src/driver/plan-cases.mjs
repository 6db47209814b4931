// @ts-check
import { nameCase } from "./case-name.mjs";
import { seededRandom } from "./seeded-random.mjs";

/** @import { Reference } from "./reference-run.mjs" */

/**
 * How much is run.
 * @typedef {{ seed: number, short: boolean }} Extent
 */

/** Runs of a full sweep that are killed several times, and losses of power. */
const REPEATED = 60;

/**
 * Every case of a sweep over the right store.
 * @param {Reference} reference
 * @param {Extent} extent
 * @returns {string[]}
 */
export function planCases({ labels, syscalls }, { seed, short }) {
  const all = Array.from(labels, (_, index) => index + 1);
  const random = seededRandom(seed);
  const any = () => 1 + Math.floor(random() * labels.length);
  const atWork = all.slice(labels.indexOf("model call"), labels.lastIndexOf("model answer"));
  const stops = atWork.filter((at) => mayStop(labels[at - 1] ?? ""));
  return [
    ...spread(all, short ? 24 : all.length).map((at) => nameCase("file", "kill", { at })),
    ...Array.from({ length: short ? 3 : REPEATED }, (_, index) => {
      return nameCase("file", "kill", { at: any(), seed: seed + index });
    }),
    ...planSyscalls(syscalls, short),
    ...spread(all, short ? 8 : 2 * REPEATED).map((at) => nameCase("volatile", "kill", { at })),
    ...spread(all, short ? 3 : REPEATED).map((at) => nameCase("volatile", "kill", { at, seed: seed + at })),
    ...spread(atWork, short ? 1 : 8).map((at) => nameCase("file", "duel", { at })),
    ...spread(atWork, short ? 1 : 8).map((at) => nameCase("file", "damage", { at })),
    ...spread(stops, short ? 2 : 20).map((at) => nameCase("file", "zombie", { at })),
    ...spread(stops, short ? 1 : 4).map((at) => nameCase("file", "zombie-lease", { at })),
  ];
}

/**
 * @param {Record<string, number>} counts
 * @param {boolean} short
 * @returns {string[]}
 */
function planSyscalls(counts, short) {
  return Object.entries(counts).flatMap(([syscall, count]) => {
    const all = Array.from({ length: count }, (_, index) => index + 1);
    if (syscall !== "rename" && syscall !== "fsync" && syscall !== "fdatasync") return [];
    return spread(all, short ? 2 : count).map((at) => nameCase("file", syscall, { at }));
  });
}

/**
 * Some of the items, evenly, the first and the last among them.
 * @template T
 * @param {readonly T[]} items
 * @param {number} wanted
 * @returns {T[]}
 */
export function spread(items, wanted) {
  const step = (items.length - 1) / Math.max(1, wanted - 1);
  return items.length <= wanted
    ? [...items]
    : Array.from({ length: wanted }, (_, index) => items[Math.round(index * step)]).flatMap((item) => item ?? []);
}

/**
 * Whether a process that is stopped here meets the store before the world: no store can hold back an effect that is
 * about to happen when its process is stopped.
 * @param {string} label
 * @returns {boolean}
 */
export function mayStop(label) {
  return (
    label.startsWith("model") || label.startsWith("within") || /^(before|after|within) file (write|sync) /.test(label)
  );
}
