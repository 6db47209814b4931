// @ts-check

import { seededRandom } from "@switchyard/suite/seeded-random";
import { checkHistory } from "../history/check-history.mjs";
import { findVariant } from "../variants/variants.mjs";
import { readLedger, readMoments } from "../worker/oracle.mjs";
import { makeCaseFolder, removeCaseFolder } from "./case-folder.mjs";
import { observe, readFinalState } from "./observe.mjs";
import { runWorker } from "./run-worker.mjs";
import { strikeInSyscall } from "./strace.mjs";

/** @import { FinalState, History, Violation } from "../history/history.mjs" */
/** @import { Attempt } from "../worker/attempt.mjs" */
/** @import { CaseFolder } from "./case-folder.mjs" */
/** @import { SyscallHarm } from "./strace.mjs" */
/** @import { WorkerEnd } from "./run-worker.mjs" */

/**
 * A run that is killed, and how its later attempts are killed.
 * @typedef {object} Case
 * @property {string} name Can be passed to `--only`.
 * @property {string} variant Name of the workers' variant in `variants/`.
 * @property {number} killAt Boundary of the first attempt at which it dies; 0 for none.
 * @property {string} [label] `killAt` counts the boundaries of this label.
 * @property {SyscallHarm} [syscall] The first attempt is killed in this system call; `killAt` counts its calls.
 * @property {number} [seed] Seed for killing later attempts at random. `undefined`: they are not killed.
 * @property {number} [leaseMs] Lease time of a writer without heartbeats, if the case waits for it.
 * @property {FinalState} [reference] Result of an uninterrupted run.
 */

/**
 * Outcome of a case.
 * @typedef {{ name: string, violations: Violation[], kills: number, attempts: number, recoveryMs: number,
 * struck: string | undefined, history: History, problem?: string }} Outcome
 */

export const RUN_ID = "sweep";
/** Maximum number of attempts. No run needs as many, because later attempts are killed at most three times. */
const MAX_ATTEMPTS = 8;
const MAX_LATER_KILLS = 3;
/** Number of boundaries within which later attempts are killed. */
const LATER_REACH = 120;

/**
 * Runs a case to completion and checks its history.
 * @param {Case} given
 * @returns {Promise<Outcome>}
 */
export async function runCase(given) {
  const folder = makeCaseFolder(given.variant);
  try {
    const ends = await runAttempts(given, folder);
    return await judge({ folder, given, ends });
  } finally {
    removeCaseFolder(folder);
  }
}

/**
 * @param {Case} given
 * @param {CaseFolder} folder
 * @returns {Promise<WorkerEnd[]>}
 */
async function runAttempts(given, folder) {
  const random = given.seed === undefined ? undefined : seededRandom(given.seed);
  /** @type {WorkerEnd[]} */
  const ends = [];
  let isListed = false;
  for (let number = 1; number <= MAX_ATTEMPTS; number += 1) {
    const attempt = attemptOf(folder, isListed);
    if (given.seed !== undefined) attempt.powerSeed = given.seed + number;
    if (number === 1 && given.syscall === undefined && given.killAt > 0) {
      attempt.strike = { at: given.killAt, signal: "SIGKILL" };
      if (given.label !== undefined) attempt.strike.label = given.label;
    } else if (number > 1 && random !== undefined && number <= 1 + MAX_LATER_KILLS && random() < 0.5) {
      attempt.strike = { at: 1 + Math.floor(random() * LATER_REACH), signal: "SIGKILL" };
    }
    const prefix = number === 1 && given.syscall !== undefined ? strikeInSyscall(given.syscall, given.killAt) : [];
    ends.push(await runWorker(attempt, { root: folder.root, prefix }));
    const seen = await observe(folder, RUN_ID);
    isListed = seen.isListed;
    if (seen.isOver || !wasKilled(ends.at(-1))) break;
  }
  return ends;
}

/**
 * @param {CaseFolder} folder
 * @param {boolean} resumes
 * @returns {Attempt}
 */
export function attemptOf({ variant, stateDirectory, workspace, oracle, ledger }, resumes) {
  return { runId: RUN_ID, resumes, stateDirectory, workspace, oracle, ledger, variant };
}

/**
 * @param {{ folder: CaseFolder, given: Case, ends: readonly WorkerEnd[] }} run
 * @returns {Promise<Outcome>}
 */
export async function judge({ folder, given, ends }) {
  const moments = readMoments(folder.oracle);
  /** @type {History} */
  const history = {
    runId: RUN_ID,
    powerLoss: findVariant(given.variant).losesPower === true,
    moments,
    ledger: readLedger(folder.ledger),
    final: await readFinalState(folder, RUN_ID),
    reference: given.reference,
  };
  const last = ends.at(-1);
  const told = moments.flatMap((moment) => (moment.at === "told" ? [`${moment.status} ${moment.problem ?? ""}`] : []));
  const struck = moments.find((moment) => moment.at === "struck");
  return {
    name: given.name,
    violations: checkHistory(history),
    kills: ends.filter(wasKilled).length,
    attempts: ends.length,
    recoveryMs: recoveryOf(ends, moments),
    struck: struck?.at === "struck" ? struck.label : undefined,
    history,
    ...(history.final === undefined ? { problem: `${last?.how}: ${told.at(-1) ?? ""} ${last?.stderr}` } : {}),
  };
}

/**
 * Returns the longest time from the start of a process to the resumption of its engine.
 * @param {readonly WorkerEnd[]} ends
 * @param {ReturnType<typeof readMoments>} moments
 * @returns {number}
 */
function recoveryOf(ends, moments) {
  const times = ends.slice(1).flatMap(({ pid, startedMs }) => {
    const resumed = moments.find((moment) => moment.at === "resumed" && moment.pid === pid);
    return resumed === undefined ? [] : [resumed.timeMs - startedMs];
  });
  return Math.max(0, ...times);
}

/**
 * @param {WorkerEnd | undefined} end
 * @returns {boolean}
 */
function wasKilled(end) {
  return end?.how === "SIGKILL";
}
