// @ts-check
import { isResultLine } from "@switchyard/suite/result-line";

/** @import { Check, CheckOutcome, Suite } from "./check-outcome.mjs" */

/**
 * Renders one line per check, and one per suite if a check has several.
 * @param {CheckOutcome} outcome
 * @returns {string}
 */
export function renderOutcome(outcome) {
  const { check, suites, failed } = outcome;
  const state = failed === 0 ? "ok" : "FAILED";
  const heading = row(outcome, { state, name: check.name, time: timeOf(outcome) });
  if (suites.length < 2) return heading;
  const details = suites.map((suite) => {
    const { id, state, cached, startMs, endMs } = suite.run;
    const time = cached ? "cached" : state === "blocked" ? "not run" : seconds(endMs - startMs);
    return row(suite, { state: "", name: `  ${suiteName(id, check)}`, time });
  });
  return [heading, ...details].join("\n");
}

/**
 * Lists the slowest test files and checks, slowest first. Cached results count as zero.
 * @param {readonly Suite[]} suites
 * @param {number} count the length of the list
 * @returns {string[]} one line each
 */
export function renderSlowest(suites, count) {
  return suites
    .filter(({ run }) => !run.cached && run.state !== "blocked")
    .flatMap(({ run, slowest }) => {
      if (slowest.length > 0) return slowest;
      return [
        { name: run.id.replace("@switchyard/", "").replace("//#", "repository#"), durationMs: run.endMs - run.startMs },
      ];
    })
    .sort((one, other) => other.durationMs - one.durationMs)
    .slice(0, count)
    .map(({ name, durationMs }) => `${seconds(durationMs).padStart(10)}  ${name}`);
}

/**
 * Returns the complete output of a failed suite.
 * @param {Suite} suite
 * @returns {string}
 */
export function renderFailure({ run }) {
  if (run.state === "blocked") return `--- ${run.id}: not run, because a task it needs failed`;
  return [`--- ${run.id}`, ...run.lines.filter((line) => !isResultLine(line))].join("\n");
}

/**
 * @param {CheckOutcome} outcome
 * @returns {string}
 */
function timeOf({ suites, cached, durationMs }) {
  if (suites.length === 0) return "found nothing to run";
  if (cached === suites.length) return "cached";
  return cached === 0 ? seconds(durationMs) : `${seconds(durationMs)}, ${cached} of ${suites.length} cached`;
}

/**
 * @param {{ passed: number, failed: number }} counts
 * @param {{ state: string, name: string, time: string }} cells
 * @returns {string}
 */
function row({ passed, failed }, { state, name, time }) {
  const counts = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`;
  return `${state.padEnd(7)}${name.padEnd(32)}${counts.padEnd(24)}${time}`;
}

/**
 * Returns the package, and the task if a check has several.
 * @param {string} id
 * @param {Check} check
 * @returns {string}
 */
function suiteName(id, { tasks }) {
  const [workspace = "", task = ""] = id.split("#");
  const name = workspace === "//" ? "repository" : workspace.replace("@switchyard/", "");
  return tasks.length > 1 ? `${name} ${task}` : name;
}

/**
 * @param {number} ms
 * @returns {string}
 */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
