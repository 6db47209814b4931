// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";

/**
 * Limits. `packages`: dependencies and download size of a package. `sourceFiles`: lines per file, without tests.
 * `functions`: lines per function, without tests. `commandLine`: lines of the sources of `apps/cli`, without tests.
 * @typedef {{ packages: Record<string, { dependencies: number, packedKiB: number }>,
 * sourceFiles: { medianLines: number, p90Lines: number }, functions: { lines: number },
 * commandLine: { lines: number } }} Budgets
 */

/** A measured figure and its limit. @typedef {{ name: string, value: number, limit: number }} Figure */

/**
 * @param {string} root root folder of the repository
 * @returns {Budgets}
 */
export function readBudgets(root) {
  return JSON.parse(readFileSync(join(root, ".ci/budgets.json"), "utf8"));
}

/**
 * Prints each figure and its limit, and ends the check.
 * @param {readonly Figure[]} figures
 * @param {readonly string[]} [otherProblems]
 * @returns {void}
 */
export function reportFigures(figures, otherProblems = []) {
  for (const { name, value, limit } of figures) console.log(`${name}: ${value} of ${limit}`);
  const exceeded = figures.filter(({ value, limit }) => value > limit);
  const problems = exceeded.map(({ name, value, limit }) => `${name}: ${value} is over the budget of ${limit}.`);
  reportOutcome({ problems: [...problems, ...otherProblems], passed: figures.length - exceeded.length });
}
