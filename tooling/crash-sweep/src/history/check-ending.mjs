// @ts-check
import { momentsOf } from "./history.mjs";

/** @import { History, Violation } from "./history.mjs" */

/** Terminal states of a run. */
const FINAL = ["completed", "failed", "cancelled"];

/**
 * D7: one terminal record regardless of the number of attempts, and one end per attempt.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkEnding(history) {
  return [...checkRecords(history), ...checkFinal(history), ...checkEnds(history)];
}

/**
 * The record of a finished run does not change.
 * @param {History} history
 * @returns {Violation[]}
 */
function checkRecords(history) {
  const terminal = momentsOf(history, "observed")
    .filter(({ moment }) => FINAL.includes(moment.status ?? ""))
    .map(({ moment: { status, finishedAt } }) => `${status} at ${finishedAt}`);
  const records = new Set(terminal);
  const { final } = history;
  if (final !== undefined) records.add(`${final.record.status} at ${final.record.finished_at}`);
  const finishes = finishesOf(history);
  if (records.size <= 1 && finishes <= 1) return [];
  const detail = `${finishes} acknowledged ends; records: ${[...records].join(", ")}`;
  return [{ promise: "D7", kind: "terminal_records", detail }];
}

/**
 * Returns how often the end of a run that cannot be resumed was acknowledged.
 * @param {History} history
 * @returns {number}
 */
function finishesOf(history) {
  const begun = momentsOf(history, "began").filter(({ moment }) => moment.kind === "finish");
  return momentsOf(history, "done").filter(({ moment }) => {
    const match = begun.find(({ moment: { pid, write } }) => pid === moment.pid && write === moment.write);
    return moment.kind === "finish" && FINAL.includes(match?.moment.status ?? "");
  }).length;
}

/**
 * @param {History} history
 * @returns {Violation[]}
 */
function checkFinal({ final }) {
  if (final === undefined) return [];
  const { record, report } = final;
  if (FINAL.includes(record.status) && record.status === report.status) return [];
  const detail = `the record says ${record.status}, the report ${report.status}`;
  return [{ promise: "D7", kind: "terminal_records", detail }];
}

/**
 * @param {History} history
 * @returns {Violation[]}
 */
function checkEnds({ final }) {
  if (final === undefined) return [];
  /** @type {Map<number, number>} */
  const ends = new Map();
  for (const { type, attempt } of final.events) {
    if (type === "run_end") ends.set(attempt, (ends.get(attempt) ?? 0) + 1);
  }
  /** @type {Violation[]} */
  const violations = [];
  for (const [attempt, count] of ends) {
    if (count === 1) continue;
    violations.push({ promise: "D7", kind: "terminal_records", detail: `attempt ${attempt} ended ${count} times` });
  }
  return violations;
}
