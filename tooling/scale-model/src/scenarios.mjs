// @ts-check
import { readFileSync } from "node:fs";
import { SimulatedCluster } from "./simulation/simulate-cluster.mjs";

/** @import { ClusterCosts, ClusterPlan } from "./simulation/simulate-cluster.mjs" */

/** @typedef {{ value: number, unit: string, what: string }} Measurement */
/** @typedef {{ date: string, machine: string, command: string, values: Readonly<Record<string, Measurement>> }} Measurements */

/** @returns {Measurements} */
export function readMeasurements() {
  return JSON.parse(readFileSync(new URL("../measurements.json", import.meta.url), "utf8"));
}

/** @param {Measurements} measurements @param {string} name @returns {number} */
export function measuredValue({ values }, name) {
  const found = values[name];
  if (found === undefined) throw new Error(`measurements.json contains no ${name}.`);
  return found.value;
}

/** @param {Measurements} measurements @returns {ClusterCosts} */
export function costsOf(measurements) {
  const seconds = (/** @type {string} */ name) => measuredValue(measurements, name) / 1e6;
  return {
    acceptS: seconds("server_per_accepted_run"),
    viewS: seconds("other_server_per_run"),
    workerRunS: seconds("worker_per_run"),
    diffS: seconds("workspace_diff_per_run"),
    workerRoundS: seconds("worker_per_round"),
    brokerRunS: seconds("broker_per_run"),
    brokerRoundS: seconds("broker_per_round"),
  };
}

/** Number of concurrent runs for which the cluster is sized. */
export const TARGET_RUNS = 10_000;
const WARM_UP_S = 10;
const WINDOW_S = 45;
const LOSS_WINDOW_S = 60;
const SEED = 1;

/** Assumptions about runs and failures. They are not measured. @type {Omit<ClusterPlan, "initialRuns" | "arrivalsPerS">} */
export const ASSUMED = {
  servers: 2,
  workers: 100,
  slots: 200,
  brokerCores: 2,
  roundsPerRun: 30,
  modelS: 8,
  modelVariation: 1,
  toolS: 4,
  modelFailures: 0.01,
  modelRetryS: 10,
  workerLifeS: 24 * 3_600,
  leaseS: 20,
  restartS: 30,
};

/** Assumed prices in US dollars, and the duration of a run's lease. */
export const PRICES = { coreHour: 0.04, gibHour: 0.005, modelCall: 0.01 };
export const RUN_LEASE_S = 10;

/**
 * Returns the arrivals at which a number of runs is executed at the same time, if nothing is saturated.
 * @param {number} runs
 * @param {Pick<ClusterPlan, "roundsPerRun" | "modelS" | "toolS" | "modelFailures" | "modelRetryS">} plan
 */
export function arrivalsFor(runs, { roundsPerRun, modelS, toolS, modelFailures, modelRetryS }) {
  const repeats = modelFailures / (1 - modelFailures);
  return runs / (roundsPerRun * (modelS + toolS + repeats * (modelS + modelRetryS)));
}

/** @param {readonly number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/**
 * What was seen in one simulation.
 * @typedef {object} Outcome
 * @property {number} runs number of concurrent runs that clients wanted
 * @property {number} serverUse share of the time in which a server's core worked
 * @property {number} brokerUse the same for the broker
 * @property {number} workerUse the same for the process of a worker
 * @property {number} commandUse the same for the commands of a worker
 * @property {number} startP99S 99th percentile of the wait from the creation of a run to its start
 * @property {number} roundP50S median time to store a round
 * @property {number} roundP99S 99th percentile of that time
 * @property {number} lost number of runs that lost their worker
 * @property {number} queued number of runs that wait for a slot at the end
 */

/**
 * Simulates a cluster with a number of concurrent runs.
 * @param {number} runs
 * @param {ClusterCosts} costs
 * @param {Partial<ClusterPlan>} [changes]
 * @returns {Outcome}
 */
export function simulate(runs, costs, changes = {}) {
  const assumed = { ...ASSUMED, ...changes };
  const plan = { ...assumed, initialRuns: runs, arrivalsPerS: arrivalsFor(runs, assumed), ...changes };
  const cluster = new SimulatedCluster(plan, costs, SEED);
  cluster.timeline.runUntil(WARM_UP_S);
  const groups = [cluster.servers, [cluster.broker], cluster.workers, cluster.commands];
  const busy = () => groups.map((stations) => stations.reduce((sum, { busyS }) => sum + busyS, 0));
  const before = busy();
  const [waits, delays] = [cluster.startWaits.length, cluster.roundDelays.length];
  cluster.timeline.runUntil(WARM_UP_S + WINDOW_S);
  const cores = [plan.servers, plan.brokerCores, plan.workers, plan.workers];
  const uses = busy().map((seconds, index) => (seconds - (before[index] ?? 0)) / (WINDOW_S * (cores[index] ?? 1)));
  const [serverUse = 0, brokerUse = 0, workerUse = 0, commandUse = 0] = uses;
  const roundDelays = cluster.roundDelays.slice(delays);
  return {
    ...{ runs, serverUse, brokerUse, workerUse, commandUse },
    startP99S: quantile(cluster.startWaits.slice(waits), 0.99),
    roundP50S: quantile(roundDelays, 0.5),
    roundP99S: quantile(roundDelays, 0.99),
    lost: cluster.lost,
    queued: cluster.queued,
  };
}

/**
 * Kills a share of all workers at the same time, and returns how long their runs wait until they continue.
 * @param {number} share
 * @param {ClusterCosts} costs
 */
export function simulateLoss(share, costs) {
  const plan = { ...ASSUMED, workerLifeS: Number.POSITIVE_INFINITY, arrivalsPerS: arrivalsFor(TARGET_RUNS, ASSUMED) };
  const cluster = new SimulatedCluster({ ...plan, initialRuns: TARGET_RUNS }, costs, SEED);
  cluster.timeline.runUntil(WARM_UP_S);
  const waits = cluster.startWaits.length;
  for (let worker = 0; worker < plan.workers * share; worker += 1) cluster.kill(worker);
  cluster.timeline.runUntil(WARM_UP_S + LOSS_WINDOW_S);
  const seen = cluster.startWaits.slice(waits).filter((waitS) => waitS >= plan.leaseS);
  return { share, lost: cluster.lost, p50S: quantile(seen, 0.5), maxS: quantile(seen, 1) };
}

/**
 * Returns the number of concurrent runs at which each part works all the time.
 * @param {ClusterCosts} costs
 */
export function saturation(costs) {
  const { servers, workers, slots, brokerCores, roundsPerRun } = ASSUMED;
  const arrivals = arrivalsFor(1, ASSUMED);
  const broker = arrivals * (costs.brokerRunS + roundsPerRun * costs.brokerRoundS);
  const worker = arrivals * (costs.workerRunS + roundsPerRun * costs.workerRoundS);
  const server = arrivals * (costs.acceptS / servers + (costs.viewS * (servers - 1)) / servers);
  return {
    broker: brokerCores / broker,
    slots: workers * slots,
    workers: workers / worker,
    commands: workers / (arrivals * costs.diffS),
    servers: 1 / server,
  };
}
