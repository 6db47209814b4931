// @ts-check
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyEdit } from "./find-mutants.mjs";
import { blockAt, blocksIn } from "./probes/insert-probes.mjs";
import { runTests } from "./vitest/run-tests.mjs";
import { findDependents } from "./workspace-packages.mjs";

/** @import { Coverage } from "./probes/collect-coverage.mjs" */
/** @import { Mutant } from "./find-mutants.mjs" */
/** @import { WorkspacePackage } from "./workspace-packages.mjs" */

/** Test files of one package that may cover a mutant. @typedef {{ workspacePackage: WorkspacePackage, tests: readonly string[] }} Ring */

/**
 * Data about the repository that is needed to judge mutants.
 * @typedef {object} JudgeContext
 * @property {string} root
 * @property {readonly WorkspacePackage[]} packages
 * @property {(file: string, source: string) => number} distance number of imports between a test and a source
 * @property {number} dependents how many test files of other packages may run for one mutant
 * @property {(ring: Ring) => Promise<Coverage>} coverageOf
 */

/** A mutant, and the code that replaces its file. @typedef {{ mutant: Mutant, code: string, block: number }} Subject */

/** A test file and how long it takes. @typedef {{ file: string, durationMs: number }} CoveringTest */

/** A mutant hangs if its tests take ten times as long as before, and a minute for the start. */
const SLOWDOWN = 10;
const START_MS = 60_000;

/** How many test files run at once, at most. */
const RING_SIZE = 6;

/**
 * Returns the test files that may cover a mutant, the likely ones first: those in its folder, the others of its package
 * that import its file, those of packages that depend on it.
 * @param {Mutant} mutant
 * @param {JudgeContext} context
 * @returns {{ rings: Ring[], notRun: number }}
 */
export function ringsAround({ file }, { packages, distance, dependents }) {
  const own = packages.find(({ folder }) => file.startsWith(`${folder}/`));
  if (own === undefined) throw new Error(`No package contains ${file}.`);
  const isNear = (/** @type {string} */ test) => dirname(test) === dirname(file);
  const byDistance = (/** @type {readonly string[]} */ tests) =>
    tests
      .map((test) => ({ test, far: distance(test, file), common: commonWords(test, file) }))
      .filter(({ far }) => Number.isFinite(far))
      .sort((one, other) => one.far - other.far || other.common - one.common)
      .map(({ test }) => test);
  const near = byDistance(own.tests.filter(isNear));
  const further = byDistance(own.tests.filter((test) => !isNear(test)));
  const others = findDependents(packages, own.name);
  const foreign = byDistance(others.flatMap(({ tests }) => tests));
  const chosen = foreign.slice(0, dependents);
  const rings = [near, ...chunks(further)].map((tests) => ({ workspacePackage: own, tests }));
  for (const workspacePackage of others) {
    const tests = chosen.filter((test) => test.startsWith(`${workspacePackage.folder}/`));
    rings.push(...chunks(tests).map((chunk) => ({ workspacePackage, tests: chunk })));
  }
  return { rings, notRun: foreign.length - chosen.length };
}

/**
 * Runs the tests of a ring that cover a mutant, cheapest first, until one fails.
 * @param {Mutant} mutant
 * @param {Ring} ring
 * @param {JudgeContext} context
 * @returns {Promise<{ by: string | undefined, testFiles: number }>}
 */
export async function judgeMutant(mutant, ring, { root, coverageOf }) {
  if (ring.tests.length === 0) return { by: undefined, testFiles: 0 };
  const text = readFileSync(join(root, mutant.file), "utf8");
  const subject = { mutant, code: applyEdit(text, mutant.edit), block: blockAt(blocksIn(text), mutant.edit.start) };
  const tests = coveringTests(await coverageOf(ring), subject);
  const by = await findFailure({ root, folder: ring.workspacePackage.folder, subject }, tests);
  return { by, testFiles: tests.length };
}

/**
 * @param {readonly string[]} tests
 * @returns {string[][]}
 */
function chunks(tests) {
  return Array.from({ length: Math.ceil(tests.length / RING_SIZE) }, (_, index) =>
    tests.slice(index * RING_SIZE, (index + 1) * RING_SIZE),
  );
}

/**
 * Returns how many words two paths share: a test is often named after the folder that it tests.
 * @param {string} one
 * @param {string} other
 * @returns {number}
 */
function commonWords(one, other) {
  const words = new Set(other.split(/[/.-]/));
  return one.split(/[/.-]/).filter((word) => words.has(word)).length;
}

/**
 * @param {Coverage} coverage
 * @param {Subject} subject
 * @returns {CoveringTest[]}
 */
function coveringTests(coverage, { mutant, block }) {
  return Object.entries(coverage)
    .filter(([, { failures, hits }]) => failures.length === 0 && hits[mutant.file]?.blocks.includes(block) === true)
    .map(([file, { durationMs }]) => ({ file, durationMs }))
    .sort((one, other) => one.durationMs - other.durationMs);
}

/**
 * Returns the title of the test that failed because of the mutant. A failed test is repeated once in the same process,
 * so that an unreliable test does not count as a detection.
 * @param {{ root: string, folder: string, subject: Subject }} where
 * @param {readonly CoveringTest[]} tests
 * @returns {Promise<string | undefined>}
 */
async function findFailure({ root, folder, subject }, tests) {
  if (tests.length === 0) return undefined;
  const expectedMs = tests.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const files = tests.map(({ file }) => file);
  const mutant = { file: subject.mutant.file, code: subject.code };
  const outcome = await runTests({ root, folder, files, mutant }, START_MS + SLOWDOWN * expectedMs);
  if (outcome.kind === "hung") return `hang in ${files.join(", ")}`;
  if (outcome.kind === "broken") return `end of the test process: ${outcome.problem}`;
  const failed = outcome.results.find(({ failures }) => failures.length > 0);
  if (failed === undefined && outcome.results.every(({ passed }) => passed === 0)) {
    throw new Error(`No test ran in ${files.join(", ")}.`);
  }
  return failed === undefined ? undefined : `${failed.file} > ${failed.failures[0]}`;
}
