// @ts-check

/**
 * What did not run, and why.
 * @typedef {{ name: string, reason: string }} Skip
 */

/**
 * How long a test file took.
 * @typedef {{ name: string, durationMs: number }} FileTime
 */

/**
 * What a suite or a check found. A suite ends its output with one such line; `scripts/verify.mjs` sums them. `slowest`
 * holds the test files that took longest, the slowest first.
 * @typedef {{ passed: number, failed: number, skipped: Skip[], slowest?: FileTime[] | undefined }} Result
 */

const MARK = "#result ";

/**
 * Renders the one line by which a suite reports.
 * @param {Result} result
 * @returns {string}
 */
export function renderResultLine(result) {
  return `${MARK}${JSON.stringify(result)}`;
}

/**
 * The result in a suite's output; the last line counts. Undefined when there is none, as with an ordinary tool.
 * @param {readonly string[]} lines
 * @returns {Result | undefined}
 */
export function findResult(lines) {
  const line = lines.findLast((candidate) => candidate.startsWith(MARK));
  return line === undefined ? undefined : parseResult(JSON.parse(line.slice(MARK.length)));
}

/**
 * True for a line that is meant for machines and not shown to people.
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
