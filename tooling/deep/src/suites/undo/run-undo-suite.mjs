// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { CasePlace } from "./case-place.mjs";
import { runCase } from "./run-case.mjs";

/** @import { DeepOptions, DeepResult } from "../../deep-suite.mjs" */
/** @import { CaseOutcome, Restore } from "./run-case.mjs" */

/** Number of worker processes. */
const WORKERS = 2;
/** Number of concurrent cases per process: one waits for its processes while the other works. */
const AT_ONCE = 2;
const PROGRESS = 500;
const WORKER = new URL("./undo-worker.mjs", import.meta.url);

/** @typedef {{ index: number } & CaseOutcome} CaseRow */

/**
 * Runs cases in this process, and reports each.
 * @param {number} seed
 * @param {Iterator<number>} indexes
 * @param {{ report: (row: CaseRow) => void, restore?: Restore | undefined }} options
 * @returns {Promise<void>}
 */
export async function runCases(seed, indexes, { report, restore }) {
  const place = await CasePlace.make();
  const work = async () => {
    for (let next = indexes.next(); next.done !== true; next = indexes.next()) {
      const index = next.value;
      report({ index, ...(await runCase(seed, index, { place, restore }).catch(failureOf)) });
      await rm(place.folder(index), { recursive: true, force: true, maxRetries: 3 });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await place.remove();
  }
}

/**
 * @param {unknown} error
 * @returns {CaseOutcome}
 */
function failureOf(error) {
  return { isRefused: false, hasReferences: false, isCommand: false, files: 0, problem: String(error) };
}

/**
 * Runs cases of the suite: in two processes, or with a wrong restore function in this one.
 * @param {DeepOptions & { restore?: Restore }} options
 * @returns {Promise<DeepResult>}
 */
export async function runUndoSuite({ seed, first, count, log, restore }) {
  /** @type {CaseRow[]} */
  const rows = [];
  /** @param {CaseRow} row */
  const report = (row) => {
    rows.push(row);
    if (rows.length % PROGRESS === 0) log(`${rows.length} of ${count}, ${failed(rows).length} failures`);
  };
  const indexes = Array.from({ length: count }, (_, offset) => first + offset);
  if (restore !== undefined) await runCases(seed, indexes.values(), { report, restore });
  else {
    const size = Math.ceil(count / WORKERS);
    const parts = Array.from({ length: WORKERS }, (_, part) => indexes.slice(part * size, (part + 1) * size));
    await Promise.all(parts.map((part) => runWorker(seed, { indexes: part, report })));
  }
  const restored = rows.filter(({ problem, isRefused }) => problem === undefined && !isRefused);
  const figures = {
    "restored cases": restored.length,
    "refused cases": rows.filter(({ problem, isRefused }) => problem === undefined && isRefused).length,
    "restored cases with branches and index": restored.filter(({ hasReferences }) => hasReferences).length,
    "cases that used the command line": rows.filter(({ isCommand }) => isCommand).length,
    "files that were compared": rows.reduce((sum, { files }) => sum + files, 0),
  };
  return { cases: rows.length, figures, failures: failed(rows) };
}

/**
 * @param {number} seed
 * @param {{ indexes: readonly number[], report: (row: CaseRow) => void }} options
 * @returns {Promise<void>}
 */
async function runWorker(seed, { indexes, report }) {
  const worker = fork(WORKER, [seed, ...indexes].map(String), { execArgv: [] });
  worker.on("message", (/** @type {CaseRow} */ row) => report(row));
  // The channel closes after the last message.
  const [[exitCode, signal]] = await Promise.all([once(worker, "exit"), once(worker, "disconnect")]);
  if (exitCode !== 0) throw new Error(`a process of the suite ended with ${signal ?? exitCode}`);
}

/** @param {readonly CaseRow[]} rows */
function failed(rows) {
  return rows
    .flatMap(({ index, problem }) => (problem === undefined ? [] : [{ case: index, problem }]))
    .sort((a, b) => a.case - b.case);
}
