// @ts-check
import { momentsOf } from "./history.mjs";

/** @import { History, Moment, Violation } from "./history.mjs" */

/**
 * D1: an accepted run is listed after any crash, and ends terminal or resumable.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkAccepted(history) {
  const [accepted] = momentsOf(history, "accepted");
  if (accepted === undefined) return [];
  const observed = momentsOf(history, "observed").filter(({ index }) => index > accepted.index);
  /** @type {Violation[]} */
  const absent = observed
    .filter(({ moment }) => !moment.listed)
    .map(({ index }) => ({ promise: "D1", kind: "run_absent", detail: `not listed at moment ${index}` }));
  /** @type {Violation[]} */
  const stuck = observed
    .filter(({ moment }) => moment.listed && moment.finishedAt === undefined && moment.isResumable !== true)
    .map(({ index, moment: { status } }) => {
      return { promise: "D1", kind: "run_stuck", detail: `neither over nor resumable at moment ${index}: ${status}` };
    });
  if (history.final !== undefined || absent.length > 0) return [...absent, ...stuck];
  return [...stuck, { promise: "D1", kind: "run_stuck", detail: "never came to an end" }];
}

/**
 * D2 and D3: a loaded checkpoint was saved, is complete, and not older than the last acknowledged one. Loading never
 * fails and never returns nothing.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkCheckpoints(history) {
  /** @type {{ digest: string, write: string }[]} */
  const begun = [];
  let acknowledged = -1;
  /** @type {Violation[]} */
  const violations = [];
  for (const moment of history.moments) {
    if (moment.at === "began" && moment.kind === "save") {
      begun.push({ digest: moment.digest ?? "", write: nameOfWrite(moment) });
    } else if (moment.at === "done" && moment.kind === "save") {
      acknowledged = Math.max(
        acknowledged,
        begun.findLastIndex(({ write }) => write === nameOfWrite(moment)),
      );
    } else if (moment.at === "observed" || moment.at === "resumed") {
      violations.push(...checkLoaded(moment, { begun: begun.map(({ digest }) => digest), acknowledged }));
    }
  }
  return violations;
}

/**
 * @param {Extract<Moment, { at: "observed" | "resumed" }>} moment
 * @param {{ begun: readonly string[], acknowledged: number }} saved
 * @returns {Violation[]}
 */
function checkLoaded(moment, { begun, acknowledged }) {
  const who = moment.at === "observed" ? "the store" : `attempt ${moment.attempt}`;
  if (moment.at === "observed" && moment.problems.length > 0) {
    return moment.problems.map((problem) => ({ promise: "D3", kind: "torn_read", detail: problem }));
  }
  if (moment.at === "observed" && !moment.listed) return [];
  if (moment.digest === null) {
    if (acknowledged < 0) return [];
    return [{ promise: "D2", kind: "checkpoint_lost", detail: `${who} found none of ${acknowledged + 1}` }];
  }
  const place = begun.lastIndexOf(moment.digest);
  if (place < 0) return [{ promise: "D3", kind: "torn_read", detail: `${who} loaded a checkpoint nobody saved` }];
  if (place >= acknowledged) return [];
  const detail = `${who} loaded checkpoint ${place + 1}, number ${acknowledged + 1} was acknowledged`;
  return [{ promise: "D2", kind: "checkpoint_lost", detail }];
}

/**
 * @param {{ pid: number, epoch: number, write: number }} moment
 * @returns {string}
 */
function nameOfWrite({ pid, epoch, write }) {
  return `${pid}/${epoch}/${write}`;
}
