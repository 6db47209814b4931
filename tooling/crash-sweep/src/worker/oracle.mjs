// @ts-check
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";

/** @import { LedgerEntry, Moment } from "../history/history.mjs" */

/**
 * A moment without process id and time.
 * @typedef {Moment extends infer M ? M extends { pid: number } ? Omit<M, "pid"> : M : never} Note
 */

/**
 * Log in which a process records what happened to it, independent of the code under test. Contract: the system has an
 * entry before `note` returns, so it survives the process; it is written after the event it describes.
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
 * Appends an observation of the driver.
 * @param {string} path
 * @param {number} pid
 * @param {Note} note
 * @returns {void}
 */
export function appendMoment(path, pid, note) {
  appendFileSync(path, renderMoment(pid, note));
}

/**
 * Returns all moments, in order.
 * @param {string} path
 * @returns {(Moment & { timeMs: number })[]}
 */
export function readMoments(path) {
  return linesOf(path).map((line) => JSON.parse(line));
}

/**
 * Returns all effects, in order.
 * @param {string} path
 * @returns {LedgerEntry[]}
 */
export function readLedger(path) {
  return linesOf(path).map((line) => {
    const [operation = "", attempt, pid] = line.split(" ");
    return { operation, attempt: Number(attempt), pid: Number(pid) };
  });
}

/** Returns the monotonic time shared by all processes of this machine, in milliseconds. @returns {number} */
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
