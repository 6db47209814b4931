// @ts-check
import { benchSections } from "../figure/bench-sections.mjs";
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { QUEUES } from "./contenders/contender.mjs";
import { openPool } from "./open-pool.mjs";
import { measureCalibration } from "./runs/measure-calibration.mjs";
import { ALL_CPU, measureRuns } from "./runs/measure-runs.mjs";
import { profileRuns } from "./runs/profile-runs.mjs";

/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */
/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Pool, QueueName, TaskCost } from "./open-pool.mjs" */

const ROUNDS = 7;
const WARM_UPS = 2;
const TASKS = 300;
const MANY_TASKS = 10_000;

/** @typedef {{ workers: number, concurrency?: number, outlives?: "process" | "power", tasks?: number, rounds?: number }} Load */

/** @type {readonly QueueName[]} */
const NAMES = ["ours", "bullmq", "pg-boss"];

/**
 * Returns the contenders that can be measured here. Prints the reason for the others.
 * @param {"process" | "power"} outlives
 */
function measurable(outlives) {
  return NAMES.filter((name) => {
    const problem = QUEUES[name].problem(outlives);
    if (problem !== undefined) console.error(`SKIPPED ${name} (${outlives}): ${problem}`);
    return problem === undefined;
  });
}

/**
 * Lets each contender execute tasks alternately, in both directions. The first rounds are not counted.
 * @param {ReadonlyMap<QueueName, Pool>} pools
 * @param {{ tasks: number, rounds: number }} load
 */
async function takeTurns(pools, { tasks, rounds }) {
  /** @type {Map<QueueName, TaskCost[]>} */
  const costs = new Map();
  const turns = [...pools];
  for (let round = 0; round < rounds + WARM_UPS; round += 1) {
    for (const [name, pool] of round % 2 === 0 ? turns : turns.toReversed()) {
      const cost = await pool.execute(tasks);
      if (round >= WARM_UPS) costs.set(name, [...(costs.get(name) ?? []), cost]);
    }
  }
  return costs;
}

/**
 * @param {Load} load
 * @returns {Promise<readonly Figure[]>}
 */
async function measureQueues({ workers, concurrency = 1, outlives = "process", tasks = TASKS, rounds = ROUNDS }) {
  /** @type {Map<QueueName, Pool>} */
  const pools = new Map();
  try {
    for (const kind of measurable(outlives)) {
      const pool = await openPool({ kind, workers, concurrency, outlives });
      pools.set(kind, pool);
      console.error(pool.durability);
    }
    const costs = await takeTurns(pools, { tasks, rounds });
    return figuresOf(costs);
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }
}

/**
 * @param {ReadonlyMap<QueueName, readonly TaskCost[]>} costs
 * @returns {readonly Figure[]}
 */
function figuresOf(costs) {
  const ours = costs.get("ours");
  if (ours === undefined) return [];
  const perSecond = (/** @type {readonly TaskCost[]} */ all) => all.map(({ wallUs }) => 1_000_000 / wallUs);
  const wall = (/** @type {readonly TaskCost[]} */ all) => all.map(({ wallUs }) => wallUs);
  const cpu = (/** @type {readonly TaskCost[]} */ all) => all.map(({ cpuUs }) => cpuUs);
  return [...costs]
    .filter(([name]) => name !== "ours" || costs.size === 1)
    .flatMap(([name, theirs]) => [
      ratioFigure({ name: "tasks per second", unit: "/s" }, perSecond(ours), { name, values: perSecond(theirs) }),
      ratioFigure({ name: "time per task", unit: "us" }, wall(ours), { name, values: wall(theirs) }),
      ratioFigure({ name: "CPU per task", unit: "us" }, cpu(ours), { name, values: cpu(theirs) }),
    ]);
}

/** Measures whether a task costs more in a large backlog than in a small one. @returns {Promise<readonly Figure[]>} */
async function measureBacklog() {
  if (!measurable("process").includes("ours")) return [];
  /** @type {TaskCost[]} */
  const few = [];
  /** @type {TaskCost[]} */
  const many = [];
  const pool = await openPool({ kind: "ours", workers: 2, concurrency: 4, outlives: "process" });
  try {
    await pool.execute(TASKS);
    for (let round = 0; round < 3; round += 1) {
      few.push(await pool.execute(MANY_TASKS / 10));
      many.push(await pool.execute(MANY_TASKS));
    }
  } finally {
    await pool.close();
  }
  const name = "of 1,000";
  const label = { name: "time per task of 10,000", unit: "us", target: { atMost: 1.3 } };
  const wall = (/** @type {readonly TaskCost[]} */ all) => all.map(({ wallUs }) => wallUs);
  return [
    ratioFigure(label, wall(many), { name, values: wall(few) }),
    plainFigure({ name: "all 10,000", unit: "s" }, (Math.min(...wall(many)) * MANY_TASKS) / 1e6),
  ];
}

/**
 * Measures our task queue and the runs of a cluster, compared with BullMQ and pg-boss, with idle workers in separate
 * processes.
 * @param {BenchOptions} options
 */
export function benchFanout(options) {
  /** @type {Readonly<Record<SectionName<"fanout"> | "runs-profile" | "calibration" | "smoke", Section>>} */
  const sections = {
    one: { title: "1 worker", measure: () => measureQueues({ workers: 1 }) },
    two: { title: "2 workers", measure: () => measureQueues({ workers: 2 }) },
    four: { title: "4 workers", measure: () => measureQueues({ workers: 4 }) },
    wide: { title: "2 workers, 16 tasks at once each", measure: () => measureQueues({ workers: 2, concurrency: 16 }) },
    power: {
      title: "2 workers, each write flushed",
      measure: () => measureQueues({ workers: 2, outlives: "power" }),
    },
    backlog: { title: "10,000 tasks beside 1,000, 2 workers, 4 at once each", measure: measureBacklog },
    runs: { title: "Runs through the queue of a cluster, which do nothing", measure: () => measureRuns() },
    "runs-power": {
      title: "The same runs, each write flushed",
      measure: () => measureRuns({ outlives: "power", runs: 100, rounds: 3 }),
    },
    "runs-profile": {
      title: "Parts of the gap between these runs and jobs of BullMQ",
      explains: ALL_CPU,
      measure: profileRuns,
    },
    calibration: { title: "Costs for the model of a large cluster", measure: measureCalibration },
    smoke: { title: "A look whether it works", measure: () => measureQueues({ workers: 1, tasks: 20, rounds: 1 }) },
  };
  // The last three are for tests and for finding costs.
  const names = options.names.length > 0 ? options.names : Object.keys(sections).slice(0, -3);
  return benchSections(sections, { ...options, names });
}
