// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { plainFigure, ratioFigure } from "../../figure/figure.mjs";
import { quantileOf } from "../../figure/spread.mjs";
import { startProcess } from "../start-process.mjs";
import { LiveRuns } from "./live-runs.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */
/** @typedef {{ usedBytes: number, residentBytes: number }} Weight */
/** @typedef {ReturnType<typeof startProcess>} Server */

const [FEW, MANY] = [10, 1_000];
/** Model answers per second, of all live runs together, and duration of a measurement of latencies. */
const [PER_SECOND, SECONDS] = [40, 10];
/** Number of rounds of each run before memory is measured for the first time. */
const ROUNDS = 5;
/** Number of runs that end at the same time. */
const LOT = 50;
const [KB, MB] = [1_024, 2 ** 20];

/** A server with live runs. @typedef {{ server: Server, runs: LiveRuns }} Scene */

/** Sends a command to the server process. @template T @param {Server} server @param {string} command @returns {Promise<T>} */
function ask(server, command) {
  server.write(command);
  return server.next();
}

/** Starts runs until so many are live, and waits until each new run has called the model. @param {Scene} scene @param {number} count */
async function fill({ server, runs }, count) {
  const { asked: before } = await ask(server, "asked");
  const started = count - runs.live;
  await runs.fill(count);
  for (let { asked } = { asked: before }; asked < before + started; { asked } = await ask(server, "asked"))
    await delay(20);
}

/** Returns the p99 of the time from a tool's execution to the arrival of its event. @param {Scene} scene */
async function measureLatency({ server, runs }) {
  // The first answers after a change load code and fill caches.
  await ask(server, `pace ${PER_SECOND} 2`);
  runs.latencies = [];
  await ask(server, `pace ${PER_SECOND} ${SECONDS}`);
  await delay(300);
  return quantileOf(runs.latencies, 0.99);
}

/** Ends the oldest runs until so many are live. @param {Scene} scene @param {number} count */
async function reduce({ server, runs }, count) {
  while (runs.live > count) {
    const lot = Math.min(LOT, runs.live - count);
    const target = runs.live - lot;
    await ask(server, `end ${lot}`);
    await runs.emptyTo(target);
  }
}

/**
 * Replaces all live runs, again and again until the time is over. Returns the memory after each replacement.
 * @param {Scene} scene
 * @param {number} minutes
 */
async function churn(scene, minutes) {
  const endMs = performance.now() + minutes * 60_000;
  /** @type {Weight[]} */
  const weights = [];
  do {
    for (let replaced = 0; replaced < MANY; replaced += LOT) {
      await reduce(scene, MANY - LOT);
      await fill(scene, MANY);
    }
    await ask(scene.server, `advance ${ROUNDS}`);
    weights.push(await ask(scene.server, "weigh"));
  } while (performance.now() < endMs);
  return weights;
}

/** @param {Scene} scene @param {number} minutes */
async function measure(scene, minutes) {
  const { server } = scene;
  await fill(scene, FEW);
  await ask(server, `advance ${ROUNDS}`);
  const fewBefore = await measureLatency(scene);
  /** @type {Weight} */
  const lightBefore = await ask(server, "weigh");
  await fill(scene, MANY);
  await ask(server, `advance ${ROUNDS}`);
  /** @type {Weight} */
  const heavy = await ask(server, "weigh");
  const manyBefore = await measureLatency(scene);
  const [first, ...later] = await churn(scene, minutes);
  const manyAfter = await measureLatency(scene);
  await reduce(scene, FEW);
  const fewAfter = await measureLatency(scene);
  /** @type {Weight} */
  const lightAfter = await ask(server, "weigh");
  return { few: [fewBefore, fewAfter], many: [manyBefore, manyAfter], lightBefore, lightAfter, heavy, first, later };
}

/**
 * Compares a server with 1,000 live runs with the same server with 10 live runs: memory, and time until events arrive at
 * the same number of events per second. Then replaces runs for some time, which must not change the memory.
 * @param {{ churnMinutes: number }} options 0: each run is replaced once
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureLive({ churnMinutes }) {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-live-"));
  const server = startProcess("live/live-process.mjs", [MANY, folder]);
  try {
    const runs = new LiveRuns(await server.next());
    const { few, many, lightBefore, lightAfter, heavy, first, later } = await measure({ server, runs }, churnMinutes);
    const all = first === undefined ? [] : [first, ...later];
    const perRun = (/** @type {keyof Weight} */ of) => (heavy[of] - lightBefore[of]) / (MANY - FEW) / KB;
    const kept = (lightAfter.usedBytes - lightBefore.usedBytes) / runs.ended / KB;
    const used = all.map(({ usedBytes }) => usedBytes / MB);
    const keptNote = "compiled code, and the index of all stored runs";
    const note = `${runs.ended.toLocaleString("en-US")} runs ended`;
    return [
      plainFigure(
        { name: "memory of a live run, heap and buffers", unit: "KB", note: `${ROUNDS} rounds` },
        perRun("usedBytes"),
      ),
      plainFigure(
        { name: "memory of a live run, resident", unit: "KB", note: `${ROUNDS} rounds` },
        perRun("residentBytes"),
      ),
      ratioFigure({ name: "p99 until an event arrives", unit: "ms", target: { atMost: 1.5 } }, many, {
        name: `with ${FEW} live runs`,
        values: few,
      }),
      ratioFigure({ name: "memory after all runs were replaced", unit: "MB", target: { atMost: 1.1 }, note }, used, {
        name: "before",
        values: used.map(() => heavy.usedBytes / MB),
      }),
      plainFigure({ name: "memory that stays of an ended run", unit: "KB", note: keptNote }, kept),
      plainFigure({ name: "runs that did not complete", unit: "", target: { exactly: 0 } }, runs.failed),
    ];
  } finally {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}
