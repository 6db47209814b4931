// @ts-check
/** @import { Figure } from "../figure/figure.mjs" */

/** Beginning of the names of the figures that together explain a gap. */
const SHARE = "share of ";
/** Name of the figure with the share of the largest dependency. The figure's note names this dependency. */
export const LARGEST = "largest dependency";

/** Returns a sentence about the parts of a gap, from the figures of a profile. @param {readonly Figure[]} figures */
export function describeParts(figures) {
  const largest = figures.find(({ name }) => name === LARGEST);
  const shares = figures
    .filter(({ name }) => name.startsWith(SHARE))
    .map(({ name, ours }) => `${name.slice(SHARE.length)} ${Math.round(ours)} %`);
  const start = largest === undefined ? "" : `${LARGEST} ${Math.round(largest.ours)} % (${largest.note}); all parts: `;
  return `${start}${shares.join(", ")}`;
}
