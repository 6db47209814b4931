// @ts-check
import { plainFigure } from "../../figure/figure.mjs";
import { medianOf } from "../../figure/spread.mjs";
import { QUEUES } from "../contenders/contender.mjs";
import { openRunPool } from "./open-run-pool.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { RunCost, RunPoolOptions } from "./open-run-pool.mjs" */

const RUNS = 100;
const TURNS = 4;
const ROUNDS = 10;
const HELD_RUNS = 400;
const HOLD_MS = 20_000;

/**
 * Measures runs with the given options. The first turn is not counted.
 * @param {Partial<RunPoolOptions>} options
 * @param {{ runs?: number, turns?: number }} [load]
 */
async function measure(options, { runs = RUNS, turns = TURNS } = {}) {
  const pool = await openRunPool({ kind: "ours-without-diff", outlives: "process", concurrency: 16, ...options });
  try {
    /** @type {RunCost[]} */
    const costs = [];
    for (let turn = 0; turn < turns; turn += 1) costs.push(await pool.execute(runs));
    const counted = costs.length > 1 ? costs.slice(1) : costs;
    /** @param {(cost: RunCost) => number} of */
    return (of) => medianOf(counted.map(of));
  } finally {
    await pool.close();
  }
}

/**
 * Measures the costs with which `tooling/scale-model` is calibrated.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureCalibration() {
  const problem = QUEUES.ours.problem("process");
  if (problem !== undefined) {
    console.error(`SKIPPED calibration: ${problem}`);
    return [];
  }
  const bare = await measure({ hasSecondServer: true });
  const rounds = await measure({ rounds: ROUNDS });
  const diffs = await measure({ kind: "ours" });
  const held = await measure({ concurrency: HELD_RUNS, holdMs: HOLD_MS }, { runs: HELD_RUNS, turns: 1 });
  /** @param {string} name @param {number} us */
  const cpu = (name, us) => plainFigure({ name, unit: "us" }, us);
  /** @param {(cost: RunCost) => number} of */
  const perRound = (of) => (rounds(of) - bare(of)) / ROUNDS;
  return [
    cpu(
      "server, per accepted run",
      bare(({ serverUs }) => serverUs),
    ),
    cpu(
      "each other server, per run",
      bare(({ otherUs }) => otherUs),
    ),
    cpu(
      "worker, per run",
      bare(({ workerUs }) => workerUs),
    ),
    cpu(
      "broker, per run",
      bare(({ brokerUs }) => brokerUs),
    ),
    cpu(
      "workspace diff, per run",
      diffs(({ workerUs, childrenUs }) => workerUs + childrenUs) - bare(({ workerUs }) => workerUs),
    ),
    cpu(
      "worker, per round",
      perRound(({ workerUs }) => workerUs),
    ),
    cpu(
      "broker, per round",
      perRound(({ brokerUs }) => brokerUs),
    ),
    cpu(
      "server, per round",
      perRound(({ serverUs }) => serverUs),
    ),
    plainFigure(
      { name: "worker, per concurrent run", unit: "KiB" },
      held(({ peakBytes }) => peakBytes) / HELD_RUNS / 1_024,
    ),
  ];
}
