// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

/** @import { MeasuredSection } from "../figure/bench-sections.mjs" */

/**
 * One section of an area, and when, where and at which commit it was measured. Sections that were measured before
 * commits were stored have no `commit`.
 * @typedef {MeasuredSection & { date: string, node: string, processors: number, commit?: string | undefined }} StoredSection
 */

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

/** Root folder of the repository. */
const ROOT = new URL("../../../../", import.meta.url);

/** Runs git in the repository, and returns its output. @param {readonly string[]} options */
function git(options) {
  const { status, stdout } = spawnSync("git", options, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the measured commit, and whether files differ from the commit. `undefined` outside of a git repository. */
function currentCommit() {
  const commit = git(["rev-parse", "--short=12", "HEAD"]);
  if (commit === undefined) return undefined;
  // A benchmark of several areas changes the results itself.
  const changes = git(["status", "--porcelain", "--untracked-files=no", "--", ".", ":!tooling/bench/results.json"]);
  return changes === "" ? commit : `${commit} with uncommitted changes`;
}

/**
 * Writes the measured sections of an area to a file of results. Other areas and sections of the file stay.
 * @param {string} path
 * @param {string} area
 * @param {readonly MeasuredSection[]} sections
 */
export function storeResults(path, area, sections) {
  const results = existsSync(path) ? readResults(path) : { areas: {} };
  const date = new Date().toISOString().slice(0, 10);
  const where = { date, node: process.versions.node, processors: cpus().length, commit: currentCommit() };
  const measured = sections.map((section) => ({ ...section, ...where }));
  writeFileSync(path, `${JSON.stringify(withSections(results, area, measured), undefined, 2)}\n`);
}
