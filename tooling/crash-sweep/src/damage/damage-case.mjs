// @ts-check
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@switchyard/suite/seeded-random";
import { RUN_ID } from "../driver/run-case.mjs";
import { readLedger } from "../worker/oracle.mjs";
import { chooseNumber, chooseOne } from "./choose.mjs";
import { damageOneFile, isOutsideWhole, replaceByOlder } from "./file-damage.mjs";
import { killTwice, removeRun, restoreRun, withOwnState } from "./killed-run.mjs";
import { damageMessages, readRun, removeStreams, writeRun } from "./nats-damage.mjs";
import { resumeInProcess } from "./resume-in-process.mjs";
import { DATABASE, damageRows, loseLog } from "./sqlite-damage.mjs";

/** @import { NatsConnection } from "@nats-io/transport-node" */
/** @import { CaseFolder } from "../driver/case-folder.mjs" */
/** @import { BrokerPlace } from "../worker/attempt.mjs" */
/** @import { Random } from "./choose.mjs" */
/** @import { Damage } from "./file-damage.mjs" */
/** @import { KilledRun, Plan } from "./killed-run.mjs" */
/** @import { Message } from "./nats-damage.mjs" */
/** @import { ResumeOutcome, StoreWrapper } from "./resume-in-process.mjs" */

/** @typedef {"file" | "sqlite" | "nats"} StoreKind */

/**
 * Resources shared by all cases.
 * @typedef {object} Bench
 * @property {readonly StoreKind[]} stores
 * @property {(variant: string) => Promise<Plan>} planOf Returns the plan of a variant, which is made at the first call.
 * @property {{ state: string, messages: readonly Message[] }} other A finished run of another id: files and messages.
 * @property {{ url: string, connection: NatsConnection } | undefined} broker
 * @property {StoreWrapper} wrapStore
 */

/**
 * Result of one damaged copy. `problem`: the violated guarantee.
 * @typedef {{ store: StoreKind, damage: string, outcome: ResumeOutcome, duplicates: number, isSilentRestart: boolean,
 * problem: string | undefined }} DamageResult
 */

/** @typedef {{ kills: number, results: DamageResult[], problems: string[] }} CaseResult */

/** Number of damaged copies per killed run. */
const DAMAGES = 2;
/** Fraction of cases whose agent has subagents. */
const FAMILY_PART = 0.2;
/** Fraction of damages to a run's own files or rows that also remove its watermark. */
const FORGOTTEN_PART = 0.3;
/** Fraction of damages that replace several files with consistent older copies. */
const COMBINED_PART = 0.15;

/**
 * Kills a run twice, resumes damaged copies of its state, and then resumes the undamaged state.
 * @param {Bench} bench
 * @param {number} seed
 * @returns {Promise<CaseResult>}
 */
export async function runDamageCase(bench, seed) {
  const random = seededRandom(seed);
  const store = chooseOne(random, bench.stores);
  const hasFamily = random() < FAMILY_PART;
  const plan = await bench.planOf(hasFamily ? (store === "file" ? "family" : `family-${store}`) : store);
  const broker = store === "nats" && bench.broker ? { url: bench.broker.url, name: `case-${seed}` } : undefined;
  /** @type {readonly Message[]} */
  let older = [];
  const run = await killTwice(plan, {
    ...{ random, broker },
    onFirstKill: async () => {
      if (broker !== undefined && bench.broker) {
        older = await readRun(bench.broker.connection, { name: broker.name, runId: RUN_ID });
      }
    },
  });
  try {
    /** @type {DamageResult[]} */
    const results = [];
    for (let count = 0; count < DAMAGES; count += 1) {
      const folder = withOwnState(run, count);
      results.push(await resumeDamaged({ bench, run, folder, plan, store, broker, older }, random));
      restoreRun(run);
    }
    const problems = run.isOver ? [] : await resumeWhole({ run, folder: withOwnState(run, DAMAGES), plan, broker });
    return { kills: run.kills, results, problems };
  } finally {
    removeRun(run);
    if (broker !== undefined && bench.broker) await removeStreams(bench.broker.connection, broker.name);
  }
}

/**
 * A running case.
 * @typedef {{ bench: Bench, run: KilledRun, folder: CaseFolder, plan: Plan, store: StoreKind, broker: BrokerPlace | undefined,
 * older: readonly Message[] }} CaseAtWork
 */

/**
 * @param {CaseAtWork} atWork
 * @param {Random} random
 * @returns {Promise<DamageResult>}
 */
async function resumeDamaged(atWork, random) {
  const { bench, run, folder, plan, store } = atWork;
  const before = readLedger(folder.ledger);
  const { damage, broker, end } = store === "nats" ? await damageBroker(atWork, random) : damageState(atWork, random);
  const outcome = await resumeInProcess(folder, { broker, wrapStore: bench.wrapStore });
  await end();
  const counts = countOperations(folder.ledger);
  const duplicates = [...counts.values()].filter((count) => count > 1).length;
  const isSilentRestart = outcome.beganAfresh && (before.length > 0 || run.saved > 0);
  const problem = isOutsideWhole(folder.stateDirectory)
    ? problemOf({ outcome, damage, counts, plan, isOver: run.isOver })
    : "files outside the state folder were removed";
  return { store, damage: damage.name, outcome, duplicates, isSilentRestart, problem };
}

/**
 * @param {{ outcome: ResumeOutcome, damage: Damage, counts: ReadonlyMap<string, number>, plan: Plan, isOver: boolean }} seen
 * @returns {string | undefined}
 */
function problemOf({ outcome: { kind, code = "", beganAfresh }, damage, counts, plan, isOver }) {
  const repeated = [...counts].find(([, count]) => count > 1);
  if (repeated !== undefined) return `${repeated[0]} took effect ${repeated[1]} times`;
  if (code === "hung") return "the resume hung";
  if (kind !== "completed" && !/^[a-z_]+\.[a-z_]+$/.test(code)) return `it ended with an unclassified error: ${code}`;
  if (kind === "refused" && damage.isHarmless && !isOver)
    return `it was refused with ${code}, although nothing was lost`;
  if (kind === "completed" && counts.size < plan.operations.size) {
    return `it completed with ${counts.size} of ${plan.operations.size} effects`;
  }
  return beganAfresh && counts.size > 0 && kind === "completed" && isOver ? "a finished run began again" : undefined;
}

/**
 * Damages the state folder in place: files, or rows of the database.
 * @param {CaseAtWork} atWork
 * @param {Random} random
 * @returns {{ damage: Damage, broker: undefined, end: () => Promise<void> }}
 */
function damageState({ bench, run: { older }, folder, store }, random) {
  const state = folder.stateDirectory;
  const places = { state, older: join(older, "state"), other: bench.other.state };
  const end = async () => {};
  if (random() < COMBINED_PART) {
    const combined = store === "sqlite" ? [[DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`]] : combinedFiles();
    if (store === "sqlite" && random() < 0.5) return { damage: loseLog(places), broker: undefined, end };
    return { damage: replaceByOlder(places, chooseOne(random, combined)), broker: undefined, end };
  }
  const hasRows = store === "sqlite" && random() < 0.5;
  const damage = hasRows ? damageRows(places, random) : damageOneFile(places, random);
  // A damaged database file may be an older, consistent one, which only the watermark detects. The same applies to a
  // whole run folder.
  const mayForget = hasRows || (store === "file" && !/^runs(\/\w+)? replaced by an older/.test(damage.name));
  if (!mayForget || random() >= FORGOTTEN_PART) return { damage, broker: undefined, end };
  forgetWatermarks(state);
  return { damage: { ...damage, name: `${damage.name}, without a watermark` }, broker: undefined, end };
}

/** @returns {string[][]} */
function combinedFiles() {
  const run = join("runs", RUN_ID);
  const [events, checkpoints] = [join(run, "events.jsonl"), join(run, "checkpoints")];
  return [[run], [events, checkpoints], ["runs"], [events, checkpoints, join(run, "run.json")]];
}

/**
 * @param {string} state
 * @returns {void}
 */
function forgetWatermarks(state) {
  rmSync(join(state, "watermarks"), { recursive: true, force: true });
  for (const files of [`${DATABASE}.files`, "runs"]) {
    const path = join(state, files, RUN_ID, "watermark");
    // The damage may have replaced its folder with a file.
    if (existsSync(path)) rmSync(path);
  }
}

/**
 * Writes a damaged copy of the run's messages to streams of another name.
 * @param {CaseAtWork} atWork
 * @param {Random} random
 * @returns {Promise<{ damage: Damage, broker: BrokerPlace, end: () => Promise<void> }>}
 */
async function damageBroker({ bench, folder, broker, older }, random) {
  if (bench.broker === undefined || broker === undefined) throw new Error("There is no broker.");
  const { url, connection } = bench.broker;
  const state = folder.stateDirectory;
  const newest = await readRun(connection, { name: broker.name, runId: RUN_ID });
  const damage = damageMessages({ newest, older, other: bench.other.messages }, random);
  const isForgotten = !damage.isConsistent && random() < FORGOTTEN_PART;
  if (isForgotten) forgetWatermarks(state);
  const name = `${broker.name}-${chooseNumber(random, 1, 1e9)}`;
  await writeRun(connection, { name, url, state, messages: damage.messages });
  return {
    damage: isForgotten ? { ...damage, name: `${damage.name}, without a watermark` } : damage,
    broker: { url, name },
    end: () => removeStreams(connection, name),
  };
}

/**
 * Control case: a killed, undamaged run must resume and complete, with every effect exactly once.
 * @param {{ run: KilledRun, folder: CaseFolder, plan: Plan, broker: BrokerPlace | undefined }} options
 * @returns {Promise<string[]>}
 */
async function resumeWhole({ run, folder, plan, broker }) {
  const { kind, code, beganAfresh } = await resumeInProcess(folder, { broker, wrapStore: (store) => store });
  const counts = countOperations(folder.ledger);
  /** @type {string[]} */
  const problems = [];
  if (kind !== "completed") problems.push(`the undamaged run was ${kind}: ${code}`);
  else if (counts.size !== plan.operations.size) {
    problems.push(`the undamaged run completed with ${counts.size} of ${plan.operations.size} effects`);
  }
  if (beganAfresh && run.saved > 0) problems.push("the undamaged run began again");
  for (const [operation, count] of counts) {
    if (count > 1) problems.push(`the undamaged run had the effect ${operation} ${count} times`);
  }
  return problems;
}

/**
 * @param {string} ledger
 * @returns {Map<string, number>}
 */
function countOperations(ledger) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { operation } of readLedger(ledger)) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return counts;
}
