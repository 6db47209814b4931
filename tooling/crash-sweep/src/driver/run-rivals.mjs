// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findVariant } from "../variants/variants.mjs";
import { readMoments } from "../worker/oracle.mjs";
import { makeCaseFolder, removeCaseFolder } from "./case-folder.mjs";
import { observe } from "./observe.mjs";
import { attemptOf, judge, RUN_ID } from "./run-case.mjs";
import { runWorker, startWorker } from "./run-worker.mjs";

/** @import { Moment, Violation } from "../history/history.mjs" */
/** @import { Attempt } from "../worker/attempt.mjs" */
/** @import { CaseFolder } from "./case-folder.mjs" */
/** @import { Case, Outcome } from "./run-case.mjs" */

/** Time limit for a process to reach a boundary, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Number of boundaries that the second process passes before the first one continues. */
const PART = 60;
/** Errors with which a late process may be rejected. */
const TURNED_AWAY = ["run.leased", "run.finished"];

/**
 * Kills a run and lets two processes resume it concurrently: one succeeds, the other is rejected.
 * @param {Case} given
 * @returns {Promise<Outcome>}
 */
export async function runDuel(given) {
  const folder = makeCaseFolder(given.variant);
  try {
    const first = {
      ...attemptOf(folder, false),
      strike: { at: given.killAt, signal: /** @type {const} */ ("SIGKILL") },
    };
    const ends = [await runWorker(first, { root: folder.root })];
    await observe(folder, RUN_ID);
    const barrier = join(folder.root, "barrier");
    const rivals = await Promise.all(
      [0, 1].map(() => startWorker({ ...attemptOf(folder, true), barrier }, { root: folder.root })),
    );
    await waitForMoments(folder, (moments) => moments.filter(({ at }) => at === "ready").length === rivals.length);
    writeFileSync(barrier, "");
    ends.push(...(await Promise.all(rivals.map(({ ended }) => ended))));
    await observe(folder, RUN_ID);
    const outcome = await judge({ folder, given, ends });
    return { ...outcome, violations: [...outcome.violations, ...judgeDuel(readMoments(folder.oracle))] };
  } finally {
    removeCaseFolder(folder);
  }
}

/**
 * @param {readonly Moment[]} moments
 * @returns {Violation[]}
 */
function judgeDuel(moments) {
  const winners = moments.filter(({ at }) => at === "resumed").length;
  const codes = moments.flatMap((moment) => (moment.at === "locked_out" ? [moment.code] : []));
  if (winners === 1 && codes.length === 1 && codes.every((code) => TURNED_AWAY.includes(code))) return [];
  const detail = `${winners} of two processes went on with the run; turned away: ${codes.join(", ") || "none"}`;
  return [{ promise: "D6", kind: "two_writers", detail }];
}

/**
 * Stops a process at a boundary, lets another take over its run and do part of the work, then continues the first, and
 * finally the second. The first must be rejected.
 * @param {Case} given
 * @returns {Promise<Outcome>}
 */
export async function runZombie(given) {
  const folder = makeCaseFolder(given.variant);
  const leases = given.leaseMs === undefined ? {} : { leaseMs: given.leaseMs };
  /**
   * @param {number} at
   * @param {Partial<Attempt>} more
   */
  function startStopping(at, more) {
    const base = attemptOf(folder, more.resumes === true);
    return startWorker({ ...base, ...leases, ...more, strike: { at, signal: "SIGSTOP" } }, { root: folder.root });
  }
  const zombie = await startStopping(given.killAt, {});
  const workers = [zombie];
  try {
    await waitForMoments(folder, (moments) => isStruck(moments, zombie.pid));
    await observe(folder, RUN_ID);
    const heir = await startStopping(PART, { resumes: true, takesOver: given.leaseMs === undefined });
    workers.push(heir);
    await waitForMoments(folder, (moments) => isStruck(moments, heir.pid) || hasEnded(moments, heir.pid));
    zombie.signal("SIGCONT");
    const end = await zombie.ended;
    heir.signal("SIGCONT");
    const ends = [end, await heir.ended];
    await observe(folder, RUN_ID);
    const outcome = await judge({ folder, given, ends });
    return {
      ...outcome,
      violations: [...outcome.violations, ...judgeZombie(readMoments(folder.oracle), zombie.pid, given.variant)],
    };
  } finally {
    for (const worker of workers) worker.signal("SIGKILL");
    await Promise.all(workers.map(({ ended }) => ended));
    removeCaseFolder(folder);
  }
}

/**
 * @param {readonly Moment[]} moments
 * @param {number} pid
 * @param {string} variant
 * @returns {Violation[]}
 */
function judgeZombie(moments, pid, variant) {
  const own = moments.filter((moment) => "pid" in moment && moment.pid === pid);
  const isRefused = own.some((moment) => moment.at === "refused" && moment.code === "store.stale_epoch");
  const how = own.flatMap((moment) => (moment.at === "ended" ? [moment.how] : []))[0] ?? "nothing";
  if (isRefused && how !== "exit 0") return [];
  const codes = moments.flatMap((moment) => (moment.at === "locked_out" ? [moment.code] : []));
  // A process stopped within a transaction holds the database lock, so that no other can take over.
  if (findVariant(variant).isDatabase === true && codes.includes("run.store_failed") && how === "exit 0") return [];
  const refusal = isRefused ? "refused" : "not refused";
  const heir = codes.length === 0 ? "" : `; the other one was turned away: ${codes.join(", ")}`;
  const detail = `a process woke after its run was taken over, was ${refusal} and ended with ${how}${heir}`;
  return [{ promise: "D6", kind: "stale_write", detail }];
}

/**
 * @param {readonly Moment[]} moments
 * @param {number} pid
 * @returns {boolean}
 */
function isStruck(moments, pid) {
  return moments.some((moment) => moment.at === "struck" && moment.pid === pid);
}

/**
 * @param {readonly Moment[]} moments
 * @param {number} pid
 * @returns {boolean}
 */
function hasEnded(moments, pid) {
  return moments.some((moment) => moment.at === "ended" && moment.pid === pid);
}

/**
 * @param {CaseFolder} folder
 * @param {(moments: readonly Moment[]) => boolean} isReached
 * @returns {Promise<void>}
 */
async function waitForMoments({ oracle }, isReached) {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 20) {
    if (isReached(readMoments(oracle))) return;
    await wait(20);
  }
  throw new Error("the processes never came to the boundary they were to be struck at");
}
