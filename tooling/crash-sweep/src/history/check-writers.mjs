// @ts-check
import { acquisitions, momentsOf } from "./history.mjs";

/** @import { History, Moment, Violation } from "./history.mjs" */

/**
 * D6: epochs increase, and a writer with an old epoch is rejected by the store and leaves no trace.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkWriters(history) {
  return [...checkEpochs(history), ...checkStaleWrites(history), ...checkTraces(history), ...checkRivals(history)];
}

/**
 * @param {History} history
 * @returns {Violation[]}
 */
function checkEpochs(history) {
  const epochs = acquisitions(history).map(({ epoch }) => epoch);
  return epochs.flatMap((epoch, index) => {
    const before = epochs[index - 1] ?? 0;
    if (epoch > before) return [];
    return [{ promise: "D6", kind: "epoch_order", detail: `epoch ${epoch} was given out after ${before}` }];
  });
}

/**
 * A write under an old epoch must neither succeed nor fail with a misleading error.
 * @param {History} history
 * @returns {Violation[]}
 */
function checkStaleWrites(history) {
  /** @type {Violation[]} */
  const violations = [];
  /** @type {Map<string, number>} */
  const begun = new Map();
  let newest = { epoch: 0, index: -1 };
  for (const [index, moment] of history.moments.entries()) {
    if (moment.at === "acquired" && moment.epoch > newest.epoch) newest = { epoch: moment.epoch, index };
    if (moment.at === "began") begun.set(nameOf(moment), index);
    if (moment.at !== "done" && moment.at !== "refused") continue;
    if (moment.epoch >= newest.epoch || (begun.get(nameOf(moment)) ?? -1) < newest.index) continue;
    const what = `${moment.kind} of epoch ${moment.epoch} under ${newest.epoch}`;
    if (moment.at === "done") violations.push({ promise: "D6", kind: "stale_write", detail: `${what} succeeded` });
    else if (moment.code !== "store.stale_epoch") {
      violations.push({ promise: "D6", kind: "wrong_refusal", detail: `${what} was refused as ${moment.code}` });
    }
  }
  return violations;
}

/**
 * No event of an old attempt follows one of a newer attempt in the log.
 * @param {History} history
 * @returns {Violation[]}
 */
function checkTraces({ final }) {
  let newest = 0;
  /** @type {Violation[]} */
  const violations = [];
  for (const { seq, type, attempt } of final?.events ?? []) {
    if (attempt < newest) {
      const detail = `${type} ${seq} of attempt ${attempt} stands behind attempt ${newest}`;
      violations.push({ promise: "D6", kind: "stale_write", detail });
    }
    newest = Math.max(newest, attempt);
  }
  return violations;
}

/**
 * No process acquires a run, unless by force, while another is working on it. A stopped process does not count.
 * @param {History} history
 * @returns {Violation[]}
 */
function checkRivals(history) {
  const all = acquisitions(history);
  return all.flatMap(({ index, epoch, pid, takeOver }, place) => {
    const rival = all[place - 1];
    if (rival === undefined || takeOver || rival.pid === pid) return [];
    const isOver = isOverBefore(history, { pid: rival.pid, index });
    if (isOver || !history.moments.slice(index + 1).some((moment) => isWrite(moment, rival.pid))) return [];
    return [{ promise: "D6", kind: "two_writers", detail: `epoch ${epoch} was given out while ${rival.epoch} worked` }];
  });
}

/**
 * @param {History} history
 * @param {{ pid: number, index: number }} writer
 * @returns {boolean}
 */
function isOverBefore(history, { pid, index }) {
  const ended = [...momentsOf(history, "ended"), ...momentsOf(history, "struck")].some((found) => {
    return found.index < index && found.moment.pid === pid;
  });
  const begun = momentsOf(history, "began").filter((found) => found.index < index && found.moment.pid === pid);
  return ended || begun.at(-1)?.moment.kind === "finish";
}

/**
 * @param {Moment} moment
 * @param {number} pid
 * @returns {boolean}
 */
function isWrite(moment, pid) {
  return (moment.at === "began" || moment.at === "done" || moment.at === "refused") && moment.pid === pid;
}

/**
 * @param {{ pid: number, epoch: number, write: number }} moment
 * @returns {string}
 */
function nameOf({ pid, epoch, write }) {
  return `${pid}/${epoch}/${write}`;
}
