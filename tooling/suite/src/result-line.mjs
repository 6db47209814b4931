// @ts-check

/** A skipped test or check, and the reason. @typedef {{ name: string, reason: string }} Skip */

/** Duration of a test file. @typedef {{ name: string, durationMs: number }} FileTime */

/**
 * Result of a suite or check. A suite ends its output with one such line; `scripts/verify.mjs` adds them up. `slowest`
 * contains the slowest test files, slowest first.
 * @typedef {{ passed: number, failed: number, skipped: Skip[], slowest?: FileTime[] | undefined }} Result
 */

const MARK = "#result ";

/**
 * Renders the result line of a suite.
 * @param {Result} result
 * @returns {string}
 */
export function renderResultLine(result) {
  return `${MARK}${JSON.stringify(result)}`;
}

/**
 * Returns the last result line in a suite's output. `undefined` if there is none, as for an ordinary tool.
 * @param {readonly string[]} lines
 * @returns {Result | undefined}
 */
export function findResult(lines) {
  const line = lines.findLast((candidate) => candidate.startsWith(MARK));
  return line === undefined ? undefined : parseResult(JSON.parse(line.slice(MARK.length)));
}

/**
 * Returns whether a line is machine-readable and not shown to users.
 * @param {string} line
 * @returns {boolean}
 */
export function isResultLine(line) {
  return line.startsWith(MARK);
}

/**
 * Ends a check: prints its problems and its result line, and sets the exit code.
 * @param {{ problems: readonly string[], passed: number, skipped?: Skip[] }} outcome
 * @returns {void}
 */
export function reportOutcome({ problems, passed, skipped = [] }) {
  for (const problem of problems) console.error(problem);
  console.log(renderResultLine({ passed, failed: problems.length, skipped }));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/**
 * @param {unknown} value
 * @returns {Result}
 */
function parseResult(value) {
  if (typeof value !== "object" || value === null) throw new Error("A result line holds an object.");
  const { passed, failed, skipped, slowest } = /** @type {Partial<Result>} */ (value);
  if (typeof passed !== "number" || typeof failed !== "number" || !Array.isArray(skipped)) {
    throw new Error("A result line holds passed, failed and skipped.");
  }
  return Array.isArray(slowest) ? { passed, failed, skipped, slowest } : { passed, failed, skipped };
}
