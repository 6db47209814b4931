// @ts-check
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attributeProfile, FILE_SYSTEM } from "../../figure/attribute-profile.mjs";
import { plainFigure, ratioFigure } from "../../figure/figure.mjs";
import { medianOf } from "../../figure/spread.mjs";
import { allUs, clientUs, compareRuns, runsProblem } from "./measure-runs.mjs";
import { SAMPLING_US } from "./run-contender.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { ContenderName } from "./run-contender.mjs" */
/** @import { RunCost } from "./open-run-pool.mjs" */

/** How samples count. An interval that is longer contains time in which other processes were executed. */
const ATTRIBUTION = { maxSampleUs: 1.2 * SAMPLING_US, isFileSystemSeparate: true };
/** Number of parts of this repository that are printed. */
const MAX_OWN_ROWS = 8;
const RUNS = 200;
const ROUNDS = 3;

/** Contenders whose difference is explained, with the sign of their times in the difference. */
const SIGNS = /** @type {const} */ ([
  ["ours-without-diff", 1],
  ["bullmq", -1],
]);

/** Names of dependencies, with the parts of a profile that belong to them. The first match counts. */
const DEPENDENCIES = /** @type {const} */ ([
  ["NATS client minus clients of Redis", /^(@nats-io\/|ioredis|redis-|bullmq|@ioredis|msgpackr|cluster-key-slot)/],
  ["node:fs: folders and files of a run", new RegExp(`^${FILE_SYSTEM}$`)],
  ["HTTP: node:http, hono", /^(@hono\/|hono$|Node\.js (http|_http|net|stream|streams))/],
  ["zod", /^zod$/],
  ["garbage collector", /^\(garbage collector\)$/],
  ["Node.js: promises, timers, events", /^(Node\.js |\(program\)$)/],
]);

/** Name of the part that is not on the main threads. */
const OTHER_THREADS = "other threads of Node.js";
const BROKERS = "nats-server minus redis-server";

/** @param {string} part */
function nameOf(part) {
  if (part.startsWith("@switchyard/")) return part;
  return DEPENDENCIES.find(([, pattern]) => pattern.test(part))?.[0] ?? `other: ${part}`;
}

/**
 * Reads the profiles of a contender. Returns the CPU time of each part, in microseconds per run.
 * @param {string} folder
 * @param {ContenderName} name
 */
async function readProfiles(folder, name) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const role of ["server", "worker"]) {
    const text = await readFile(join(folder, `${name}-${role}.cpuprofile`), "utf8");
    for (const [part, us] of attributeProfile(JSON.parse(text), ATTRIBUTION)) {
      times.set(nameOf(part), (times.get(nameOf(part)) ?? 0) + us / (RUNS * ROUNDS));
    }
  }
  return times;
}

/** @param {ReadonlyMap<string, number>} times */
function sumOf(times) {
  return [...times.values()].reduce((sum, us) => sum + us, 0);
}

/**
 * Profiles both contenders, and attributes the CPU time by which our server, worker and broker exceed those of BullMQ to
 * named dependencies and to the packages of this repository.
 * @returns {Promise<readonly Figure[]>}
 */
export async function profileRuns() {
  const problem = runsProblem("process");
  if (problem !== undefined) {
    console.error(`SKIPPED runs-profile: ${problem}`);
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), "bench-profile-"));
  try {
    const costs = await compareRuns({ outlives: "process", runs: RUNS, rounds: ROUNDS, profileFolder: folder });
    /** @type {Map<string, number>} */
    const gaps = new Map();
    const add = (/** @type {string} */ part, /** @type {number} */ us) =>
      void gaps.set(part, (gaps.get(part) ?? 0) + us);
    for (const [name, sign] of SIGNS) {
      const times = await readProfiles(folder, name);
      const cost = (/** @type {(cost: RunCost) => number} */ of) => medianOf(costs[name].map(of));
      for (const [part, us] of times) add(part, sign * us);
      // The processes measure the CPU time of all their threads, but a profile contains only the main thread.
      add(OTHER_THREADS, sign * Math.max(0, cost(clientUs) - sumOf(times)));
      add(BROKERS, sign * cost(({ brokerUs }) => brokerUs));
    }
    const yardstick = { name: "bullmq", values: costs.bullmq.map(allUs) };
    const label = { name: "CPU of server, worker and broker", unit: "us", target: { atMost: 1 } };
    return [ratioFigure(label, costs["ours-without-diff"].map(allUs), yardstick), ...toFigures(gaps)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {ReadonlyMap<string, number>} gaps */
function toFigures(gaps) {
  const rows = [...gaps].sort(([, left], [, right]) => right - left);
  const gap = sumOf(gaps);
  const own = rows.filter(([part]) => part.startsWith("@switchyard/"));
  const dependencies = rows.filter(([part]) => !part.startsWith("@switchyard/"));
  const share = (/** @type {number} */ us) => (us / gap) * 100;
  const row = (/** @type {[string, number]} */ [name, us]) =>
    plainFigure({ name, unit: "us", note: `${share(us).toFixed(1)} %` }, us);
  return [
    plainFigure({ name: "gap", unit: "us" }, gap),
    plainFigure(
      { name: "share of dependencies", unit: "%", target: { atLeast: 80 } },
      share(dependencies.reduce((sum, [, us]) => sum + us, 0)),
    ),
    ...dependencies.map(row),
    plainFigure({ name: "share of this repository", unit: "%" }, share(own.reduce((sum, [, us]) => sum + us, 0))),
    ...own.slice(0, MAX_OWN_ROWS).map(row),
  ];
}
