// @ts-check
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

/** @import { MeasuredSection } from "../figure/bench-sections.mjs" */

/** One section of an area, and when and where it was measured. @typedef {MeasuredSection & { date: string, node: string, processors: number }} StoredSection */

/** Results by area, as `--json` writes them. @typedef {{ areas: Readonly<Record<string, readonly StoredSection[]>> }} Results */

/** @param {string | URL} path @returns {Results} */
export function readResults(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * Returns results in which the measured sections of an area are replaced. Other sections stay.
 * @param {Results} results
 * @param {string} area
 * @param {readonly StoredSection[]} measured
 * @returns {Results}
 */
export function withSections({ areas }, area, measured) {
  const stored = areas[area] ?? [];
  const isSame = (/** @type {StoredSection} */ left) => (/** @type {StoredSection} */ right) =>
    left.section === right.section;
  const kept = stored.map((section) => measured.find(isSame(section)) ?? section);
  const added = measured.filter((section) => !stored.some(isSame(section)));
  return { areas: { ...areas, [area]: [...kept, ...added] } };
}

/**
 * Writes the measured sections of an area to a file of results. Other areas and sections of the file stay.
 * @param {string} path
 * @param {string} area
 * @param {readonly MeasuredSection[]} sections
 */
export function storeResults(path, area, sections) {
  const results = existsSync(path) ? readResults(path) : { areas: {} };
  const where = { date: new Date().toISOString().slice(0, 10), node: process.versions.node, processors: cpus().length };
  const measured = sections.map((section) => ({ ...section, ...where }));
  writeFileSync(path, `${JSON.stringify(withSections(results, area, measured), undefined, 2)}\n`);
}
