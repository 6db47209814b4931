// @ts-check
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";

/** @import { LedgerEntry, Moment } from "../history/history.mjs" */

/**
 * A moment before it has the process and the time.
 * @typedef {Moment extends infer M ? M extends { pid: number } ? Omit<M, "pid"> : M : never} Note
 */

/**
 * Where a process notes what happened to it, outside of everything that is under test. Contract: a note is with the
 * system before `note` returns, so it outlives the process; it is written after what it tells of.
 * @typedef {{ note: (note: Note) => void, close: () => void }} Oracle
 */

/**
 * @param {string} path
 * @returns {Oracle}
 */
export function openOracle(path) {
  const file = openSync(path, "a");
  return {
    note: (note) => void writeSync(file, renderMoment(process.pid, note)),
    close: () => closeSync(file),
  };
}

/**
 * Adds what the driver saw of a process, or of the store.
 * @param {string} path
 * @param {number} pid
 * @param {Note} note
 * @returns {void}
 */
export function appendMoment(path, pid, note) {
  appendFileSync(path, renderMoment(pid, note));
}

/**
 * All that was noted, in order.
 * @param {string} path
 * @returns {(Moment & { timeMs: number })[]}
 */
export function readMoments(path) {
  return linesOf(path).map((line) => JSON.parse(line));
}

/**
 * All effects, in order.
 * @param {string} path
 * @returns {LedgerEntry[]}
 */
export function readLedger(path) {
  return linesOf(path).map((line) => {
    const [operation = "", attempt, pid] = line.split(" ");
    return { operation, attempt: Number(attempt), pid: Number(pid) };
  });
}

/**
 * The time that all processes of this machine share and nobody sets, in milliseconds.
 * @returns {number}
 */
export function sharedTimeMs() {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/**
 * @param {number} pid
 * @param {Note} note
 * @returns {string}
 */
function renderMoment(pid, note) {
  return `${JSON.stringify({ ...note, pid, timeMs: sharedTimeMs() })}\n`;
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function linesOf(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}
