// @ts-check
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@nats-io/transport-node";
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { makeCaseFolder, removeCaseFolder } from "../driver/case-folder.mjs";
import { runAll } from "../driver/run-all.mjs";
import { attemptOf } from "../driver/run-case.mjs";
import { runWorker } from "../driver/run-worker.mjs";
import { runDamageCase } from "./damage-case.mjs";
import { OTHER_RUN_ID } from "./file-damage.mjs";
import { planOf } from "./killed-run.mjs";
import { readRun } from "./nats-damage.mjs";

/** @import { Bench, CaseResult, StoreKind } from "./damage-case.mjs" */
/** @import { Plan } from "./killed-run.mjs" */
/** @import { Message } from "./nats-damage.mjs" */
/** @import { StoreWrapper } from "./resume-in-process.mjs" */

/**
 * Cases to run, and an optional fault in the store.
 * @typedef {object} DamageOptions
 * @property {number} seed
 * @property {number} first
 * @property {number} count
 * @property {(line: string) => void} log
 * @property {StoreWrapper} [wrapStore] Adds a fault to the store that resumes damaged runs.
 */

/**
 * @typedef {{ cases: number, figures: Record<string, number | string>, failures: { case: number, problem: string }[] }} DamageSuiteResult
 */

/** Number of concurrent cases. */
const PARALLEL = 2;
/** Distance between the seeds of cases, so that different seeds give different cases. */
const SEED_STRIDE = 1_000_003;
const LOG_EVERY = 25;

/**
 * Kills runs and damages their state, in every store.
 * @param {DamageOptions} options
 * @returns {Promise<DamageSuiteResult>}
 */
export async function runDamageSuite({ seed, first, count, log, wrapStore = (store) => store }) {
  const bench = await openBench(wrapStore);
  /** @type {{ case: number, problem: string }[]} */
  const failures = [];
  let done = 0;
  try {
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const results = await runAll(
      numbers,
      async (number) => {
        const result = await runSafely(bench, seed * SEED_STRIDE + number);
        for (const problem of problemsOf(result)) {
          failures.push({ case: number, problem });
          log(`case ${number}: ${problem}`);
        }
        done += 1;
        if (done % LOG_EVERY === 0) log(`${done} of ${count} cases, ${failures.length} failures`);
        return result;
      },
      PARALLEL,
    );
    failures.sort((left, right) => left.case - right.case);
    return { cases: results.length, figures: figuresOf(results, bench), failures };
  } finally {
    await bench.close();
  }
}

/**
 * @param {Bench} bench
 * @param {number} seed
 * @returns {Promise<CaseResult>}
 */
async function runSafely(bench, seed) {
  try {
    return await runDamageCase(bench, seed);
  } catch (error) {
    return { kills: 0, results: [], problems: [error instanceof Error ? `${error.stack}` : String(error)] };
  }
}

/**
 * @param {CaseResult} result
 * @returns {string[]}
 */
function problemsOf({ results, problems }) {
  const broken = results.flatMap(({ store, damage, isSilentRestart, problem }) => {
    const said = [isSilentRestart ? "it silently began again" : undefined, problem];
    return said.flatMap((text) => (text === undefined ? [] : [`${store}, ${damage}: ${text}`]));
  });
  return [...problems, ...broken];
}

/**
 * @param {readonly CaseResult[]} cases
 * @param {Bench} bench
 * @returns {Record<string, number | string>}
 */
function figuresOf(cases, { stores }) {
  const results = cases.flatMap((one) => one.results);
  const in_ = (/** @type {StoreKind} */ store) => results.filter((result) => result.store === store).length;
  const ended = (/** @type {string} */ kind) => results.filter(({ outcome }) => outcome.kind === kind).length;
  const problem = stores.includes("nats") ? undefined : natsServerProblem();
  return {
    "killed processes": cases.reduce((sum, { kills }) => sum + kills, 0),
    "damaged copies": results.length,
    "damaged copies of runs in files": in_("file"),
    "damaged copies of runs in SQLite": in_("sqlite"),
    "damaged copies of runs in NATS": problem ?? in_("nats"),
    "damaged copies that were resumed": ended("completed"),
    "resumed runs with a tool call of unknown outcome": results.filter(({ outcome }) => outcome.hasUnknownOutcome)
      .length,
    "damaged copies that were refused": ended("refused"),
    "damaged copies that failed after a resume": ended("failed"),
    "unsafe effects that happened twice": results.reduce((sum, { duplicates }) => sum + duplicates, 0),
    "runs that were silently restarted": results.filter(({ isSilentRestart }) => isSilentRestart).length,
  };
}

/**
 * Starts the shared resources of all cases.
 * @param {StoreWrapper} wrapStore
 * @returns {Promise<Bench & { close: () => Promise<void> }>}
 */
async function openBench(wrapStore) {
  const server = natsServerProblem() === undefined ? await startNatsServer() : undefined;
  const connection = server === undefined ? undefined : await connect({ servers: server.url });
  const state = mkdtempSync(join(tmpdir(), "damage-suite-"));
  const broker = server === undefined || connection === undefined ? undefined : { url: server.url, connection };
  const close = async () => {
    await connection?.close();
    await server?.stop();
    rmSync(state, { recursive: true, force: true });
  };
  try {
    /** @type {StoreKind[]} */
    const stores = broker === undefined ? ["file", "sqlite"] : ["file", "sqlite", "nats"];
    /** @type {Map<string, Promise<Plan>>} */
    const plans = new Map();
    const makePlan = (/** @type {string} */ variant) =>
      planOf(variant, broker === undefined ? undefined : { url: broker.url, name: `plan-${variant}` });
    const messages = await runOthers(stores, { state, broker });
    return {
      ...{ stores, broker, wrapStore, close, other: { state, messages } },
      planOf: (variant) => {
        const plan = plans.get(variant) ?? makePlan(variant);
        plans.set(variant, plan);
        return plan;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Completes a run with another id in each store. Its files are in `state`; its messages are returned.
 * @param {readonly StoreKind[]} stores
 * @param {{ state: string, broker: Bench["broker"] }} options
 * @returns {Promise<readonly Message[]>}
 */
async function runOthers(stores, { state, broker }) {
  const name = "others";
  for (const store of stores) {
    const folder = makeCaseFolder(store);
    try {
      const place = broker === undefined ? undefined : { url: broker.url, name };
      await runWorker({ ...attemptOf(folder, false), runId: OTHER_RUN_ID, broker: place }, { root: folder.root });
      cpSync(folder.stateDirectory, state, { recursive: true });
    } finally {
      removeCaseFolder(folder);
    }
  }
  return broker === undefined ? [] : await readRun(broker.connection, { name, runId: OTHER_RUN_ID });
}
