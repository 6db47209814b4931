// @ts-check
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { QUEUES } from "../contenders/contender.mjs";
import { cpuOfProcesses } from "../cpu-of-processes.mjs";
import { BROKERS } from "./run-contender.mjs";
import { startMember } from "./start-member.mjs";

/** @import { ThreadCosts } from "../cpu-of-processes.mjs" */
/** @import { ContenderName } from "./run-contender.mjs" */
/** @import { Member } from "./start-member.mjs" */

/** Number of requests that are sent at the same time. */
const IN_FLIGHT = 32;
/** Interval between two looks at the processes, in milliseconds. */
const LOOK_MS = 50;
/** CPU time within one interval below which a process counts as idle, in microseconds. */
const IDLE_US = 5_000;
const BODY = JSON.stringify({ input: { messages: [{ role: "user", content: "Go." }] } });

/**
 * CPU time of one run, in microseconds.
 * @typedef {object} RunCost
 * @property {number} serverUs of the process that accepts runs
 * @property {number} workerUs of the process that executes runs
 * @property {number} mainUs of the main threads of these two processes; `NaN` if the system does not report it
 * @property {number} poolUs of the thread pools of these two processes, which execute calls to the file system, likewise
 * @property {number} profilerUs of the threads with which V8 takes profiles of these two processes, likewise
 * @property {number} childrenUs of the commands that the worker started, such as git
 * @property {number} brokerUs of NATS or Redis
 * @property {number} otherUs of a second server that accepts no runs; 0 without one
 * @property {number} peakBytes largest seen memory of the worker minus its memory before the runs, for all runs
 * @property {number} wallUs time from the first request to the last end of a run, divided by the number of runs
 */

/**
 * A broker, an HTTP server and a worker, in separate processes.
 * @typedef {object} RunPool
 * @property {string} durability settings of the broker
 * @property {(runs: number) => Promise<RunCost>} execute requests runs and waits until they have ended
 * @property {() => Promise<void>} beginProfiles begins to take CPU profiles of the HTTP server and of the worker
 * @property {(folder: string) => Promise<void>} endProfiles ends the profiles and writes them to files in a folder
 * @property {() => Promise<void>} close
 */

/** @typedef {{ kind: ContenderName, outlives: "process" | "power", concurrency: number, rounds?: number, holdMs?: number, hasSecondServer?: boolean }} RunPoolOptions */

/**
 * Sends requests for runs to a server.
 * @param {string} url
 * @param {number} runs
 */
async function request(url, runs) {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: IN_FLIGHT });
  let open = runs;
  const send = async () => {
    while (open > 0) {
      open -= 1;
      const headers = { "content-type": "application/json" };
      const { statusCode, body } = await pool.request({ path, method: "POST", headers, body: BODY });
      const text = await body.text();
      if (statusCode !== 201) throw new Error(`The server answered with ${statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, send));
  await pool.close();
}

/**
 * Combines the costs of threads.
 * @param {ThreadCosts} one
 * @param {ThreadCosts} other
 * @param {(one: number, other: number) => number} of
 * @returns {ThreadCosts}
 */
function combine(one, other, of) {
  const [mainUs, poolUs] = [of(one.mainUs, other.mainUs), of(one.poolUs, other.poolUs)];
  return { mainUs, poolUs, profilerUs: of(one.profilerUs, other.profilerUs) };
}

/**
 * Processes of a pool whose CPU time is measured.
 * @typedef {object} Members
 * @property {Member} server
 * @property {Member | undefined} second
 * @property {Member} worker
 * @property {{ pids(): readonly number[] }} broker
 */

/**
 * Returns the CPU time that the processes of a pool have used so far, in microseconds, and the state of the worker.
 * @param {Members} members
 */
async function usageOf({ server, second, worker, broker }) {
  const [served, worked] = [await server.usage(), await worker.usage()];
  const brokerUs = cpuOfProcesses(broker.pids()) ?? Number.NaN;
  const otherUs = (await second?.usage())?.cpuUs ?? 0;
  const allUs = cpuOfProcesses([worker.pid]) ?? Number.NaN;
  const { cpuUs: workerUs, done, bytes } = worked;
  const threads = combine(served, worked, (one, other) => one + other);
  return { serverUs: served.cpuUs, workerUs, ...threads, allUs, brokerUs, otherUs, done, bytes };
}

/** @typedef {Awaited<ReturnType<typeof usageOf>>} PoolUsage */

/**
 * Waits until a number of runs has ended and the server and the worker are idle. Resolves with the usage then.
 * @param {Members} members
 * @param {number} done
 */
async function settledUsage(members, done) {
  let before = await usageOf(members);
  for (;;) {
    await delay(LOOK_MS);
    const after = await usageOf(members);
    const spentUs = after.serverUs + after.workerUs - before.serverUs - before.workerUs;
    if (after.done >= done && spentUs < IDLE_US) return after;
    before = after;
  }
}

/**
 * Returns the CPU time of one run.
 * @param {PoolUsage} before
 * @param {PoolUsage} after
 * @param {number} runs number of runs between `before` and `after`
 */
function costPerRun(before, after, runs) {
  const workerUs = (after.workerUs - before.workerUs) / runs;
  return {
    serverUs: (after.serverUs - before.serverUs) / runs,
    workerUs,
    ...combine(after, before, (one, other) => (one - other) / runs),
    childrenUs: Math.max(0, (after.allUs - before.allUs) / runs - workerUs),
    otherUs: (after.otherUs - before.otherUs) / runs,
    brokerUs: (after.brokerUs - before.brokerUs) / runs,
  };
}

/**
 * @param {RunPoolOptions} options
 * @returns {Promise<RunPool>}
 */
export async function openRunPool({ kind, outlives, hasSecondServer = false, ...options }) {
  const broker = await QUEUES[BROKERS[kind]].start(outlives);
  const begin = { address: broker.address, monitorUrl: broker.monitorUrl, ...options };
  const server = await startMember("server", kind, begin);
  const second = hasSecondServer ? await startMember("server", kind, begin) : undefined;
  const worker = await startMember("worker", kind, begin);
  const members = { server, second, worker, broker };
  let total = 0;
  return {
    durability: broker.durability,
    execute: async (runs) => {
      const before = await settledUsage(members, total);
      total += runs;
      const startMs = performance.now();
      let peakBytes = 0;
      await request(server.url, runs);
      for (let done = 0; done < total; ) {
        const progress = await worker.progress();
        done = progress.done;
        peakBytes = Math.max(peakBytes, progress.bytes - before.bytes);
        await delay(LOOK_MS);
      }
      const wallUs = ((performance.now() - startMs) * 1_000) / runs;
      const after = await settledUsage(members, total);
      return { ...costPerRun(before, after, runs), peakBytes, wallUs };
    },
    beginProfiles: async () => {
      await Promise.all([server.beginProfile(), worker.beginProfile()]);
    },
    endProfiles: async (folder) => {
      const path = (/** @type {string} */ role) => join(folder, `${kind}-${role}.cpuprofile`);
      await Promise.all([server.endProfile(path("server")), worker.endProfile(path("worker"))]);
    },
    close: async () => {
      await worker.close();
      await second?.close();
      await server.close();
      await broker.stop();
    },
  };
}
