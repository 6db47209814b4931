// @ts-check
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeCaseFolder, removeCaseFolder } from "../driver/case-folder.mjs";
import { attemptOf } from "../driver/run-case.mjs";
import { runWorker } from "../driver/run-worker.mjs";
import { endLeftProcesses } from "../worker/left-processes.mjs";
import { readLedger, readMoments } from "../worker/oracle.mjs";
import { chooseNumber } from "./choose.mjs";

/** @import { CaseFolder } from "../driver/case-folder.mjs" */
/** @import { BrokerPlace } from "../worker/attempt.mjs" */
/** @import { Random } from "./choose.mjs" */

/**
 * Boundaries and operations of a variant's uninterrupted run.
 * @typedef {{ variant: string, boundaries: number, firstCall: number, operations: ReadonlySet<string> }} Plan
 */

/**
 * A run whose process was killed twice.
 * @typedef {object} KilledRun
 * @property {CaseFolder} folder
 * @property {string} older Copy of its folder from between the two kills.
 * @property {string} copy Copy of its folder from after them.
 * @property {number} kills Processes that were killed; one less if the second attempt finished the run.
 * @property {number} saved Checkpoints that the store acknowledged.
 * @property {boolean} isOver True if the second attempt finished the run.
 */

/** Fraction of boundaries at which the first process is killed. */
const FIRST_PART = 0.6;

/**
 * Runs a variant to completion, to record its boundaries and operations.
 * @param {string} variant
 * @param {BrokerPlace | undefined} broker
 * @returns {Promise<Plan>}
 */
export async function planOf(variant, broker) {
  const folder = makeCaseFolder(variant);
  try {
    const file = join(folder.root, "labels.json");
    const { how, stderr } = await runWorker(
      { ...attemptOf(folder, false), broker, labels: file },
      { root: folder.root },
    );
    if (how !== "exit 0") throw new Error(`The uninterrupted run of ${variant} failed: ${how} ${stderr}`);
    /** @type {string[]} */
    const labels = JSON.parse(readFileSync(file, "utf8"));
    const operations = new Set(readLedger(folder.ledger).map(({ operation }) => operation));
    return { variant, boundaries: labels.length, firstCall: labels.indexOf("model call") + 1, operations };
  } finally {
    removeCaseFolder(folder);
  }
}

/**
 * Starts a run, kills its process at one boundary, resumes it and kills that process at another.
 * @param {Plan} plan
 * @param {{ random: Random, broker: BrokerPlace | undefined, onFirstKill: () => Promise<void> }} options
 * @returns {Promise<KilledRun>}
 */
export async function killTwice({ variant, boundaries, firstCall }, { random, broker, onFirstKill }) {
  const folder = makeCaseFolder(variant);
  const { root } = folder;
  const first = chooseNumber(random, firstCall, Math.floor(boundaries * FIRST_PART));
  const second = chooseNumber(random, 1, boundaries - first);
  const strike = (/** @type {number} */ at) => ({ at, signal: /** @type {const} */ ("SIGKILL") });
  const ends = [await runWorker({ ...attemptOf(folder, false), broker, strike: strike(first) }, { root })];
  endLeftProcesses(folder.ledger);
  await onFirstKill();
  const [older, copy] = [`${root}.older`, `${root}.copy`];
  copyFolder(root, older);
  ends.push(await runWorker({ ...attemptOf(folder, true), broker, strike: strike(second) }, { root }));
  endLeftProcesses(folder.ledger);
  copyFolder(root, copy);
  const moments = readMoments(folder.oracle);
  return {
    ...{ folder, older, copy },
    kills: ends.filter(({ how }) => how === "SIGKILL").length,
    saved: moments.filter((moment) => moment.at === "done" && moment.kind === "save").length,
    isOver: ends.at(-1)?.how === "exit 0",
  };
}

/**
 * Moves the state folder, so that each resume in this process has its own. A closed database connection may exist until
 * it is garbage collected, and then removes the write-ahead log at its path.
 * @param {KilledRun} run
 * @param {number} number
 * @returns {CaseFolder}
 */
export function withOwnState({ folder }, number) {
  const stateDirectory = `${folder.stateDirectory}-${number}`;
  renameSync(folder.stateDirectory, stateDirectory);
  return { ...folder, stateDirectory };
}

/**
 * Restores the folder to its state after the second kill.
 * @param {KilledRun} run
 * @returns {void}
 */
export function restoreRun({ folder, copy }) {
  endLeftProcesses(folder.ledger);
  rmSync(folder.root, { recursive: true, force: true });
  copyFolder(copy, folder.root);
}

/**
 * @param {KilledRun} run
 * @returns {void}
 */
export function removeRun({ folder, older, copy }) {
  removeCaseFolder(folder);
  for (const path of [older, copy]) rmSync(path, { recursive: true, force: true });
}

/**
 * Copies a folder if it exists.
 * @param {string} from
 * @param {string} to
 * @returns {void}
 */
function copyFolder(from, to) {
  if (existsSync(from)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
