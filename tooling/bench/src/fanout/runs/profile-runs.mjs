// @ts-check
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attributeProfile, FILE_SYSTEM } from "../../figure/attribute-profile.mjs";
import { plainFigure, ratioFigure } from "../../figure/figure.mjs";
import { LARGEST } from "../../report/gap-parts.mjs";
import { ALL_CPU, allUs, clientUs, compareWithProfiles, runsProblem } from "./measure-runs.mjs";
import { SAMPLING_US } from "./run-contender.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { ContenderName } from "./run-contender.mjs" */
/** @import { RunCost } from "./open-run-pool.mjs" */

/**
 * How samples count. An interval that is longer contains time in which other processes were executed, or a sample that was
 * taken late. The CPU time that is not counted because of this limit is listed as not attributed.
 */
const ATTRIBUTION = { maxSampleUs: 1.2 * SAMPLING_US, isFileSystemSeparate: true };
/** Number of parts of this repository that are printed. */
const MAX_OWN_ROWS = 8;
const RUNS = 200;
const ROUNDS = 5;

/** Contenders whose difference is explained, with the sign of their times in the difference. */
const SIGNS = /** @type {const} */ ([
  ["ours-without-diff", 1],
  ["bullmq", -1],
]);

/** Names of dependencies, with the parts of a profile that belong to them. The first match counts. */
const DEPENDENCIES = /** @type {const} */ ([
  ["NATS client minus clients of Redis", /^(@nats-io\/|ioredis|redis-|bullmq|@ioredis|msgpackr|cluster-key-slot)/],
  ["HTTP: node:http, hono", /^(@hono\/|hono$|Node\.js (http|_http|net|stream|streams))/],
  ["zod", /^zod$/],
  ["garbage collector", /^\(garbage collector\)$/],
  ["Node.js: promises, timers, events", /^(Node\.js |\(program\)$)/],
]);

const BROKERS = "nats-server minus redis-server";

/**
 * Time in calls to the file system, which code of this repository, dependencies and Node.js make: on the main threads, and
 * on the threads that execute these calls.
 */
const FILES = "node:fs";
/** CPU time of the main threads that their profiles do not contain. */
const NOT_SAMPLED = "main threads: CPU time minus profiles";
/** CPU time of the threads of V8 that collect garbage and compile. */
const ENGINE_THREADS = "Node.js: other threads of V8";
/** Parts that count neither for dependencies nor for this repository. */
const NOT_ATTRIBUTED = new Set([NOT_SAMPLED]);

/** @param {string} part */
function nameOf(part) {
  if (part.startsWith("@switchyard/")) return part;
  if (part === FILE_SYSTEM) return FILES;
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
 * Returns the CPU time of each part of the difference between the contenders, in microseconds per run. All times are from
 * the same rounds.
 * @param {Readonly<Record<ContenderName, readonly RunCost[]>>} profiled costs of the profiled rounds
 * @param {(name: ContenderName) => Promise<ReadonlyMap<string, number>>} timesOf times in the profiles of a contender
 */
export async function gapsOf(profiled, timesOf) {
  /** @type {Map<string, number>} */
  const gaps = new Map();
  const add = (/** @type {string} */ part, /** @type {number} */ us) => void gaps.set(part, (gaps.get(part) ?? 0) + us);
  for (const [name, sign] of SIGNS) {
    const times = await timesOf(name);
    // The profiles contain the sum of all rounds.
    const mean = (/** @type {(cost: RunCost) => number} */ of) =>
      profiled[name].reduce((sum, cost) => sum + of(cost), 0) / profiled[name].length;
    const mainUs = mean((cost) => cost.mainUs);
    // On a busy machine, a profile also contains time in which the thread waited for a processor. That can happen anywhere
    // in the program, so all parts are reduced by the same factor, down to the CPU time of the thread.
    const factor = Math.min(1, mainUs / sumOf(times));
    for (const [part, us] of times) add(part, sign * factor * us);
    add(NOT_SAMPLED, sign * (mainUs - factor * sumOf(times)));
    add(FILES, sign * mean(({ poolUs }) => poolUs));
    // The CPU time of the profiler belongs to the measurement, so it is not a part of the difference.
    add(ENGINE_THREADS, sign * mean((cost) => clientUs(cost) - cost.mainUs - cost.poolUs - cost.profilerUs));
    add(BROKERS, sign * mean(({ brokerUs }) => brokerUs));
  }
  return gaps;
}

/**
 * Profiles both contenders, and attributes the CPU time by which our server, worker and broker exceed those of BullMQ to
 * named dependencies and to the packages of this repository. Calls to the file system and CPU time that the profiles do
 * not contain are listed separately.
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
    const { costs, profiled } = await compareWithProfiles(
      SIGNS.map(([name]) => name),
      { runs: RUNS, rounds: ROUNDS, folder },
    );
    const gaps = await gapsOf(profiled, (name) => readProfiles(folder, name));
    const yardstick = { name: "bullmq", values: costs.bullmq.map(allUs) };
    const label = { name: ALL_CPU, unit: "us", target: { atMost: 1 } };
    return [ratioFigure(label, costs["ours-without-diff"].map(allUs), yardstick), ...gapFigures(gaps)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the figures of the parts of a difference: shares of dependencies, of calls to the file system, of this
 * repository, and of time that is not attributed. The four shares add up to 100 %. Names the largest dependency, because
 * a missed target is accepted if one dependency causes most of the difference.
 * @param {ReadonlyMap<string, number>} gaps
 * @returns {readonly Figure[]}
 */
export function gapFigures(gaps) {
  const rows = [...gaps].sort(([, left], [, right]) => right - left);
  const gap = sumOf(gaps);
  const isOwn = (/** @type {string} */ part) => part.startsWith("@switchyard/");
  const own = rows.filter(([part]) => isOwn(part));
  const unattributed = rows.filter(([part]) => NOT_ATTRIBUTED.has(part));
  const dependencies = rows.filter(([part]) => !isOwn(part) && part !== FILES && !NOT_ATTRIBUTED.has(part));
  const [largest = /** @type {const} */ (["none", 0])] = dependencies;
  const percent = (/** @type {number} */ us) => (us / gap) * 100;
  const shareOf = (/** @type {readonly (readonly [string, number])[]} */ some) => percent(sumOf(new Map(some)));
  const row = (/** @type {readonly [string, number]} */ [name, us]) =>
    plainFigure({ name, unit: "us", note: `${percent(us).toFixed(1)} %` }, us);
  return [
    plainFigure({ name: "gap, in the profiled rounds", unit: "us" }, gap),
    plainFigure({ name: LARGEST, unit: "%", note: largest[0] }, percent(largest[1])),
    plainFigure({ name: "share of dependencies", unit: "%" }, shareOf(dependencies)),
    ...dependencies.map(row),
    plainFigure({ name: `share of ${FILES}`, unit: "%" }, percent(gaps.get(FILES) ?? 0)),
    plainFigure({ name: "share of this repository", unit: "%" }, shareOf(own)),
    ...own.slice(0, MAX_OWN_ROWS).map(row),
    plainFigure({ name: "share of time that is not attributed", unit: "%" }, shareOf(unattributed)),
    ...unattributed.map(row),
  ];
}
