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
/** Name of the figure that has a target. */
export const ALL_CPU = "CPU of server, worker and broker";

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
 * Starts the processes of contenders, uses them, and ends them.
 * @template T
 * @param {"process" | "power"} outlives
 * @param {(pools: ReadonlyMap<ContenderName, RunPool>) => Promise<T>} use
 * @param {readonly ContenderName[]} [names] all by default
 */
async function withPools(outlives, use, names = NAMES) {
  /** @type {Map<ContenderName, RunPool>} */
  const pools = new Map();
  try {
    for (const kind of names) {
      const pool = await openRunPool({ kind, outlives, concurrency: CONCURRENCY });
      pools.set(kind, pool);
      console.error(pool.durability);
    }
    return await use(pools);
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }
}

/**
 * Lets the contenders execute runs alternately, in both directions. The first rounds, `warmUps`, are not counted.
 * @param {ReadonlyMap<ContenderName, RunPool>} pools
 * @param {{ runs: number, rounds: number, warmUps: number }} load
 * @returns {Promise<RunCosts>}
 */
async function executeAlternately(pools, { runs, rounds, warmUps }) {
  /** @type {Record<ContenderName, RunCost[]>} */
  const costs = { ours: [], "ours-without-diff": [], bullmq: [] };
  for (let round = 0; round < rounds + warmUps; round += 1) {
    for (const [name, pool] of round % 2 === 0 ? [...pools] : [...pools].toReversed()) {
      const cost = await pool.execute(runs);
      if (round >= warmUps) costs[name].push(cost);
    }
  }
  return costs;
}

/**
 * Compares contenders without profiles, and then again while all of their processes are profiled. Writes the profiles to
 * files in a folder. The costs of the profiled rounds contain the cost of the profiles.
 * @param {readonly ContenderName[]} names
 * @param {{ runs: number, rounds: number, folder: string }} load
 * @returns {Promise<{ costs: RunCosts, profiled: RunCosts }>}
 */
export async function compareWithProfiles(names, { runs, rounds, folder }) {
  /** @param {ReadonlyMap<ContenderName, RunPool>} pools */
  const compare = async (pools) => {
    const costs = await executeAlternately(pools, { runs, rounds, warmUps: WARM_UPS });
    for (const pool of pools.values()) await pool.beginProfiles();
    const profiled = await executeAlternately(pools, { runs, rounds, warmUps: 0 });
    for (const pool of pools.values()) await pool.endProfiles(folder);
    return { costs, profiled };
  };
  return await withPools("process", compare, names);
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
  const {
    ours,
    bullmq,
    "ours-without-diff": bare,
  } = await withPools(outlives, (pools) => executeAlternately(pools, { runs, rounds, warmUps: WARM_UPS }));
  /** @param {string} name @param {(cost: RunCost) => number} of @param {readonly RunCost[]} [costs] */
  const figure = (name, of, costs = bare) => {
    const target = of === allUs && costs === bare ? { target: { atMost: 1 } } : {};
    return ratioFigure({ name, unit: "us", ...target }, costs.map(of), { name: "bullmq", values: bullmq.map(of) });
  };
  const commandsUs = medianOf(ours.map(({ childrenUs }) => childrenUs));
  return [
    figure(ALL_CPU, allUs),
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
