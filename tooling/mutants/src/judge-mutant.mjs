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

/**
 * Test files that may cover a mutant. Tests of other packages have a budget.
 * @typedef {{ workspacePackage: WorkspacePackage, tests: readonly string[], hasBudget: boolean }} Ring
 */

/**
 * What judging needs to know of the repository.
 * @typedef {object} JudgeContext
 * @property {string} root
 * @property {readonly WorkspacePackage[]} packages
 * @property {(ring: Ring) => Promise<Coverage>} coverageOf
 */

/** A mutant, and what replaces its file. @typedef {{ mutant: Mutant, code: string, block: number }} Subject */

/** A test file and how long it takes. @typedef {{ file: string, durationMs: number }} CoveringTest */

/** A mutant hangs if its tests take ten times as long as before, and a minute for the start. */
const SLOWDOWN = 10;
const START_MS = 60_000;

/**
 * Returns the test files that may cover a mutant, the likely ones first: those in its folder, the others of its package,
 * those of packages that depend on it.
 * @param {Mutant} mutant
 * @param {readonly WorkspacePackage[]} packages
 * @returns {Ring[]}
 */
export function ringsAround({ file }, packages) {
  const own = packages.find(({ folder }) => file.startsWith(`${folder}/`));
  if (own === undefined) throw new Error(`No package contains ${file}.`);
  const isNear = (/** @type {string} */ test) => dirname(test) === dirname(file);
  return [
    { workspacePackage: own, tests: own.tests.filter(isNear), hasBudget: false },
    { workspacePackage: own, tests: own.tests.filter((test) => !isNear(test)), hasBudget: false },
    ...findDependents(packages, own.name).map((workspacePackage) => ({
      workspacePackage,
      tests: workspacePackage.tests,
      hasBudget: true,
    })),
  ];
}

/**
 * Runs the tests of a ring that cover a mutant, cheapest first, until one fails.
 * @param {Mutant} mutant
 * @param {Ring} ring
 * @param {JudgeContext & { budgetMs: number }} context
 * @returns {Promise<{ by: string | undefined, testFiles: number, notRun: number, spentMs: number }>}
 */
export async function judgeMutant(mutant, ring, { root, coverageOf, budgetMs }) {
  const text = readFileSync(join(root, mutant.file), "utf8");
  const subject = { mutant, code: applyEdit(text, mutant.edit), block: blockAt(blocksIn(text), mutant.edit.start) };
  const all = coveringTests(await coverageOf(ring), subject);
  const tests = ring.hasBudget ? withinBudget(all, budgetMs) : all;
  const by = await findFailure({ root, folder: ring.workspacePackage.folder, subject }, tests);
  const spentMs = ring.hasBudget ? tests.reduce((sum, { durationMs }) => sum + durationMs, 0) : 0;
  return { by, testFiles: tests.length, notRun: all.length - tests.length, spentMs };
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
 * @param {readonly CoveringTest[]} tests
 * @param {number} budgetMs
 * @returns {CoveringTest[]}
 */
function withinBudget(tests, budgetMs) {
  let spent = 0;
  return tests.filter(({ durationMs }) => {
    spent += durationMs;
    return spent <= budgetMs;
  });
}

/**
 * Returns what failed because of the mutant. A failed test is repeated once in the same process, so an unreliable test is
 * not taken for a detection.
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
