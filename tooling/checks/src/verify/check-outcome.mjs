// @ts-check
import { findResult } from "@switchyard/suite/result-line";

/** @import { FileTime, Result, Skip } from "@switchyard/suite/result-line" */
/** @import { TaskRun } from "./run-tasks.mjs" */

/**
 * One check: its turbo tasks, and what it proves.
 * @typedef {{ name: string, tasks: readonly string[], proves: string }} Check
 */

/**
 * One suite of a check: the results of one package's (or the root's) task, and its slowest test files.
 * @typedef {{ run: TaskRun, passed: number, failed: number, skipped: Skip[], slowest: FileTime[] }} Suite
 */

/**
 * @typedef {{ check: Check, suites: Suite[], passed: number, failed: number, cached: number, durationMs: number }} CheckOutcome
 */

/**
 * Combines the results of one check's tasks. A check without any task fails.
 * @param {Check} check
 * @param {readonly TaskRun[]} runs
 * @returns {CheckOutcome}
 */
export function checkOutcome(check, runs) {
  const suites = runs.filter((run) => check.tasks.includes(bareTask(run))).map(readSuite);
  const executed = suites.filter(({ run }) => !run.cached && run.state !== "blocked");
  return {
    check,
    suites,
    passed: sum(suites.map((suite) => suite.passed)),
    failed: suites.length === 0 ? 1 : sum(suites.map((suite) => suite.failed)),
    cached: suites.filter(({ run }) => run.cached).length,
    durationMs: sum(executed.map(({ run }) => run.endMs - run.startMs)),
  };
}

/**
 * Returns the result of a task: one for an ordinary tool, or the counts of a suite's result line.
 * @param {TaskRun} run
 * @returns {Suite}
 */
function readSuite(run) {
  /** @type {Result} */
  const result = findResult(run.lines) ?? { passed: run.state === "passed" ? 1 : 0, failed: 0, skipped: [] };
  const failed = run.state === "passed" ? result.failed : Math.max(1, result.failed);
  const [workspace = ""] = run.id.replace("@switchyard/", "").split("#");
  const skipped = result.skipped.map(({ name, reason }) => ({ name: `${workspace} > ${name}`, reason }));
  const slowest = (result.slowest ?? []).map(({ name, durationMs }) => ({
    name: `${workspace} > ${name}`,
    durationMs,
  }));
  return { run, passed: result.passed, failed, skipped, slowest };
}

/**
 * @param {TaskRun} run
 * @returns {string}
 */
function bareTask(run) {
  return run.task.startsWith("//#") ? run.task.slice(3) : run.task;
}

/**
 * @param {readonly number[]} numbers
 * @returns {number}
 */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
