// @ts-check
import {
  ASSUMED,
  arrivalsFor,
  costsOf,
  measuredValue,
  readMeasurements,
  saturation,
  simulate,
  simulateLoss,
  TARGET_RUNS,
} from "../scenarios.mjs";
import { renderPage } from "./render-page.mjs";
import { renderPlot } from "./render-plot.mjs";

/** @import { Outcome } from "../scenarios.mjs" */

const LOADS = [1_000, 2_500, 5_000, 10_000, 15_000, 20_000];
const BROKER_CORES = [1, 2, 4, 8];
const LOSSES = [0.01, 0.1, 0.6];
const RUN_TICKS = [0, 5_000, 10_000, 15_000, 20_000];
const PERCENT = 100;
const MS = 1_000;

/**
 * Executes all simulations. Returns the contents of the page and of its plots, by path below `docs`.
 * @returns {Readonly<Record<string, string>>}
 */
export function renderReport() {
  const measurements = readMeasurements();
  const costs = costsOf(measurements);
  const loads = LOADS.map((runs) => simulate(runs, costs));
  const brokers = BROKER_CORES.map((brokerCores) => ({
    brokerCores,
    ...simulate(TARGET_RUNS, costs, { brokerCores }),
  }));
  const losses = LOSSES.map((share) => simulateLoss(share, costs));
  const arrivals = arrivalsFor(TARGET_RUNS, ASSUMED);
  const resources = {
    arrivals,
    brokerCores: arrivals * (costs.brokerRunS + ASSUMED.roundsPerRun * costs.brokerRoundS),
    serverCores: arrivals * (costs.acceptS + (ASSUMED.servers - 1) * costs.viewS),
    workerCores: arrivals * (costs.workerRunS + costs.diffS + ASSUMED.roundsPerRun * costs.workerRoundS),
    workerGiB: (TARGET_RUNS * measuredValue(measurements, "worker_memory_per_run")) / 2 ** 20,
  };
  return {
    "reference/scale.md": renderPage({ measurements, loads, brokers, losses, limits: saturation(costs), resources }),
    "images/scale-use.svg": renderUse(loads),
    "images/scale-delay.svg": renderDelays(loads),
  };
}

/** @param {readonly Outcome[]} loads */
function renderUse(loads) {
  /** @param {(outcome: Outcome) => number} of @returns {[number, number][]} */
  const points = (of) => loads.map((outcome) => [outcome.runs, of(outcome) * PERCENT]);
  return renderPlot({
    title: "Use of the processors",
    xLabel: "concurrent runs that clients want",
    yLabel: "percent of the time",
    xTicks: RUN_TICKS,
    yTicks: [0, 25, 50, 75, 100],
    lines: [
      { name: "broker", colour: "#c0392b", points: points(({ brokerUse }) => brokerUse) },
      { name: "server", colour: "#2471a3", points: points(({ serverUse }) => serverUse) },
      { name: "process of a worker", colour: "#1e8449", points: points(({ workerUse }) => workerUse) },
      { name: "git of a worker", colour: "#9a7d0a", points: points(({ commandUse }) => commandUse) },
    ],
  });
}

/** @param {readonly Outcome[]} loads */
function renderDelays(loads) {
  /** @param {(outcome: Outcome) => number} of @returns {[number, number][]} */
  const points = (of) => loads.map((outcome) => [outcome.runs, of(outcome) * MS]);
  return renderPlot({
    title: "Time to store a round",
    xLabel: "concurrent runs that clients want",
    yLabel: "milliseconds",
    xTicks: RUN_TICKS,
    yTicks: [0, 25, 50, 75, 100],
    lines: [
      { name: "99th percentile", colour: "#c0392b", points: points(({ roundP99S }) => roundP99S) },
      { name: "median", colour: "#2471a3", points: points(({ roundP50S }) => roundP50S) },
    ],
  });
}
