// @ts-check
import { readFileSync } from "node:fs";

/**
 * The share of a missed target's gap that a profile attributes to a dependency.
 * @typedef {object} Attribution
 * @property {string} target id of the target, or name of the figure if its target has no id
 * @property {string} dependency name and version
 * @property {number} share of the gap, 0 to 1
 * @property {string} profile where the profile is, as a link from `docs/reference`
 */

/** Minimum share of the gap that must be attributed, so that `--strict` accepts a miss. */
export const MINIMUM_SHARE = 0.8;

/** @returns {readonly Attribution[]} */
export function readAttributions() {
  return JSON.parse(readFileSync(new URL("../../attributions.json", import.meta.url), "utf8"));
}
