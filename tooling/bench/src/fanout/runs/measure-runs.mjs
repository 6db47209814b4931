// @ts-check
import { plainFigure, ratioFigure } from "../../figure/figure.mjs";
import { medianOf } from "../../figure/spread.mjs";
import { QUEUES } from "../contenders/contender.mjs";
import { openRunPool } from "./open-run-pool.mjs";
import { BROKERS } from "./run-contender.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { ContenderName } from "./run-contender.mjs" */
/** @import { RunCost, RunPool } from "./open-run-pool.mjs" */

/** Number of concurrent runs of the worker. */
const CONCURRENCY = 16;
const WARM_UPS = 1;

/** @type {readonly ContenderName[]} */
const NAMES = ["ours", "ours-without-diff", "bullmq"];

/** @typedef {{ outlives?: "process" | "power", runs?: number, rounds?: number }} RunLoad */
/** @typedef {Readonly<Record<ContenderName, readonly RunCost[]>>} RunCosts */

/** Returns the CPU time of the server and the worker. @param {RunCost} cost */
export function clientUs({ serverUs, workerUs }) {
  return serverUs + workerUs;
}

/** Returns the CPU time of the server, the worker and the broker. @param {RunCost} cost */
export function allUs({ serverUs, workerUs, brokerUs }) {
  return serverUs + workerUs + brokerUs;
}

/** Returns why the contenders cannot be compared here. `undefined` if they can. @param {"process" | "power"} outlives */
export function runsProblem(outlives) {
  return NAMES.map((name) => QUEUES[BROKERS[name]].problem(outlives)).find((one) => one !== undefined);
}

/**
 * Lets both contenders execute runs alternately, in both directions. The first round is not counted. If `profileFolder`
 * is set, each contender then executes the same number of runs again while its processes are profiled.
 * @param {Required<RunLoad> & { profileFolder?: string }} load
 * @returns {Promise<RunCosts>}
 */
export async function compareRuns({ outlives, runs, rounds, profileFolder }) {
  /** @type {Map<ContenderName, RunPool>} */
  const pools = new Map();
  /** @type {Record<ContenderName, RunCost[]>} */
  const costs = { ours: [], "ours-without-diff": [], bullmq: [] };
  try {
    for (const kind of NAMES) {
      const pool = await openRunPool({ kind, outlives, concurrency: CONCURRENCY });
      pools.set(kind, pool);
      console.error(pool.durability);
    }
    for (let round = 0; round < rounds + WARM_UPS; round += 1) {
      for (const [name, pool] of round % 2 === 0 ? [...pools] : [...pools].toReversed()) {
        const cost = await pool.execute(runs);
        if (round >= WARM_UPS) costs[name].push(cost);
      }
    }
    if (profileFolder === undefined) return costs;
    // Profiles take CPU time themselves, so the profiled rounds are not counted.
    for (const pool of pools.values()) {
      await pool.beginProfiles();
      for (let round = 0; round < rounds; round += 1) await pool.execute(runs);
      await pool.endProfiles(profileFolder);
    }
    return costs;
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }
}

/**
 * Measures what a run through the queue costs the server, the worker and the broker, compared with a job of BullMQ that a
 * minimal HTTP server adds.
 * @param {RunLoad} [load]
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureRuns({ outlives = "process", runs = 200, rounds = 5 } = {}) {
  const problem = runsProblem(outlives);
  if (problem !== undefined) {
    console.error(`SKIPPED runs (${outlives}): ${problem}`);
    return [];
  }
  const { ours, bullmq, "ours-without-diff": bare } = await compareRuns({ outlives, runs, rounds });
  /** @param {string} name @param {(cost: RunCost) => number} of @param {readonly RunCost[]} [costs] */
  const figure = (name, of, costs = bare) => {
    const target = of === allUs && costs === bare ? { target: { atMost: 1 } } : {};
    return ratioFigure({ name, unit: "us", ...target }, costs.map(of), { name: "bullmq", values: bullmq.map(of) });
  };
  const commandsUs = medianOf(ours.map(({ childrenUs }) => childrenUs));
  return [
    figure("CPU of server, worker and broker", allUs),
    figure("CPU of server and worker", clientUs),
    figure("… of the server", ({ serverUs }) => serverUs),
    figure("… of the worker", ({ workerUs }) => workerUs),
    figure("CPU of the broker", ({ brokerUs }) => brokerUs),
    figure("time", ({ wallUs }) => wallUs),
    figure("with diffs: CPU of server and worker", clientUs, ours),
    plainFigure({ name: "with diffs: CPU of git", unit: "us" }, commandsUs),
    figure("with diffs: time", ({ wallUs }) => wallUs, ours),
  ];
}
