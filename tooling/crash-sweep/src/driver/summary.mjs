// @ts-check

/** @import { ViolationKind } from "../history/history.mjs" */
/** @import { Outcome } from "./run-case.mjs" */

/**
 * Summary of a sweep. All counts but the first three must be 0.
 * @typedef {object} Summary
 * @property {number} cases Runs.
 * @property {number} kills Processes that were killed.
 * @property {number} recoveryMs Longest time from the start of a process until its engine continues, in milliseconds.
 * @property {number} duplicateEffects Unsafe effects that happened again.
 * @property {number} lostCheckpoints Acknowledged checkpoints that could not be loaded.
 * @property {number} gaps Numbers of events that are missing, lost or changed.
 * @property {number} terminalRecords Runs whose number of ends is not one.
 * @property {number} differences Differences from the result of an uninterrupted run.
 * @property {number} others Other broken promises.
 */

/** @type {Readonly<Partial<Record<ViolationKind, keyof Summary>>>} */
const COUNTED_AS = {
  duplicate_effect: "duplicateEffects",
  checkpoint_lost: "lostCheckpoints",
  seq_gap: "gaps",
  event_lost: "gaps",
  event_changed: "gaps",
  terminal_records: "terminalRecords",
  difference: "differences",
  usage: "differences",
};

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {Summary}
 */
export function summarise(outcomes) {
  /** @type {Summary} */
  const summary = {
    cases: outcomes.length,
    kills: outcomes.reduce((total, { kills }) => total + kills, 0),
    recoveryMs: Math.max(0, ...outcomes.map(({ recoveryMs }) => recoveryMs)),
    duplicateEffects: 0,
    lostCheckpoints: 0,
    gaps: 0,
    terminalRecords: 0,
    differences: 0,
    others: 0,
  };
  for (const { kind } of outcomes.flatMap(({ violations }) => violations)) summary[COUNTED_AS[kind] ?? "others"] += 1;
  return summary;
}

/**
 * @param {Summary} summary
 * @param {{ boundaries: number, seed: number }} sweep
 * @returns {string}
 */
export function renderSummary(summary, { boundaries, seed }) {
  /** @type {[string, number | string][]} */
  const rows = [
    ["kills", summary.kills],
    ["runs", summary.cases],
    ["boundaries", boundaries],
    ["unsafe effects that happened twice", summary.duplicateEffects],
    ["lost acknowledged checkpoints", summary.lostCheckpoints],
    ["gaps in seq", summary.gaps],
    ["terminal records other than 1", summary.terminalRecords],
    ["differences from the uninterrupted result", summary.differences],
    ["other broken promises", summary.others],
    ["worst recovery time", `${Math.round(summary.recoveryMs)} ms`],
    ["seed", seed],
  ];
  return rows.map(([name, value]) => `${name.padEnd(42)}${String(value).padStart(8)}`).join("\n");
}

/**
 * Returns the problems of a case and how to reproduce it. Empty if there are none.
 * @param {Outcome} outcome
 * @returns {string[]}
 */
export function renderProblems({ name, struck, violations, problem }) {
  if (violations.length === 0) return [];
  const where = struck === undefined ? "" : ` (struck ${struck})`;
  const lines = violations.slice(0, 6).map(({ promise, kind, detail }) => `  ${promise} ${kind}: ${detail}`);
  const more = violations.length > 6 ? [`  and ${violations.length - 6} more`] : [];
  const cause = problem === undefined ? [] : [`  the last process: ${problem.trim().slice(0, 1_500)}`];
  return [`${name}${where}`, ...lines, ...more, ...cause, `  again: pnpm test:crash --only '${name}'`];
}
