// @ts-check
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attributeProfile } from "../../figure/attribute-profile.mjs";
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
/** Number of rows of the profile that are printed. */
const MAX_ROWS = 14;

/** @type {readonly ContenderName[]} */
const NAMES = ["ours", "ours-without-diff", "bullmq"];

/** @typedef {{ outlives?: "process" | "power", runs?: number, rounds?: number, profileFolder?: string }} RunLoad */
/** @typedef {Readonly<Record<ContenderName, readonly RunCost[]>>} RunCosts */

/** @param {RunCost} cost */
function clientUs({ serverUs, workerUs }) {
  return serverUs + workerUs;
}

/**
 * Lets both contenders execute runs alternately, in both directions. The first round is not counted.
 * @param {Required<Pick<RunLoad, "outlives" | "runs" | "rounds">> & RunLoad} load
 * @returns {Promise<RunCosts>}
 */
async function compare({ outlives, runs, rounds, profileFolder }) {
  /** @type {Map<ContenderName, RunPool>} */
  const pools = new Map();
  /** @type {Record<ContenderName, RunCost[]>} */
  const costs = { ours: [], "ours-without-diff": [], bullmq: [] };
  try {
    for (const kind of NAMES) {
      const pool = await openRunPool({ kind, outlives, concurrency: CONCURRENCY, profileFolder });
      pools.set(kind, pool);
      console.error(pool.durability);
    }
    for (let round = 0; round < rounds + WARM_UPS; round += 1) {
      for (const [name, pool] of round % 2 === 0 ? [...pools] : [...pools].toReversed()) {
        const cost = await pool.execute(runs);
        if (round >= WARM_UPS) costs[name].push(cost);
      }
    }
    return costs;
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }
}

/**
 * Measures what a run through the queue costs the server and the worker, compared with a job of BullMQ that a minimal
 * HTTP server adds.
 * @param {RunLoad} [load]
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureRuns({ outlives = "process", runs = 200, rounds = 5, profileFolder } = {}) {
  const problem = NAMES.map((name) => QUEUES[BROKERS[name]].problem(outlives)).find((one) => one !== undefined);
  if (problem !== undefined) {
    console.error(`SKIPPED runs (${outlives}): ${problem}`);
    return [];
  }
  const {
    ours,
    bullmq,
    "ours-without-diff": bare,
  } = await compare({ outlives, runs, rounds, ...(profileFolder && { profileFolder }) });
  /** @param {string} name @param {(cost: RunCost) => number} of @param {readonly RunCost[]} [costs] */
  const figure = (name, of, costs = bare) => {
    const target = of === clientUs && costs === bare ? { target: { atMost: 1 } } : {};
    return ratioFigure({ name, unit: "us", ...target }, costs.map(of), { name: "bullmq", values: bullmq.map(of) });
  };
  const commandsUs = medianOf(ours.map(({ childrenUs }) => childrenUs));
  return [
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

/**
 * Profiles both contenders and attributes the CPU time by which our server and worker exceed those of BullMQ.
 * @param {RunLoad} [load]
 * @returns {Promise<readonly Figure[]>}
 */
export async function profileRuns(load = {}) {
  const folder = await mkdtemp(join(tmpdir(), "bench-profile-"));
  try {
    const { runs = 200, rounds = 2 } = load;
    const figures = await measureRuns({ ...load, runs, rounds, profileFolder: folder });
    if (figures.length === 0) return [];
    /** @type {Map<string, number>} */
    const gaps = new Map();
    for (const [name, sign] of /** @type {const} */ ([
      ["ours-without-diff", 1],
      ["bullmq", -1],
    ])) {
      for (const role of ["server", "worker"]) {
        const text = await readFile(join(folder, `${name}-${role}.cpuprofile`), "utf8");
        for (const [part, us] of attributeProfile(JSON.parse(text)))
          gaps.set(part, (gaps.get(part) ?? 0) + (sign * us) / (runs * (rounds + WARM_UPS)));
      }
    }
    return toFigures(gaps, figures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the group to which a part belongs. @param {string} part */
function groupOf(part) {
  if (part.startsWith("@switchyard/")) return "own";
  if (part.startsWith("Node.js") || part === "(garbage collector)") return "node";
  return part.startsWith("(") ? "unknown" : "package";
}

/**
 * @param {ReadonlyMap<string, number>} gaps
 * @param {readonly Figure[]} figures
 */
function toFigures(gaps, figures) {
  const rows = [...gaps].sort(([, left], [, right]) => right - left);
  const gap = rows.reduce((sum, [, us]) => sum + us, 0);
  /** @param {readonly string[]} groups */
  const shareOf = (...groups) =>
    (rows.filter(([part]) => groups.includes(groupOf(part))).reduce((sum, [, us]) => sum + us, 0) / gap) * 100;
  return [
    ...figures.slice(0, 1),
    plainFigure({ name: "gap in the profiles", unit: "us" }, gap),
    plainFigure({ name: "share of dependencies", unit: "%", target: { atLeast: 80 } }, shareOf("package", "node")),
    plainFigure({ name: "… of npm packages", unit: "%" }, shareOf("package")),
    plainFigure({ name: "… of Node.js and its garbage collector", unit: "%" }, shareOf("node")),
    plainFigure({ name: "share of this repository", unit: "%" }, shareOf("own")),
    ...rows.slice(0, MAX_ROWS).map(([part, us]) => {
      return plainFigure({ name: part, unit: "us", note: `${((us / gap) * 100).toFixed(1)} %` }, us);
    }),
  ];
}
