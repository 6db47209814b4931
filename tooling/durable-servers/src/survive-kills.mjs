// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** @import { Worker } from "./worker.mjs" */

/**
 * A durable engine with killable parts.
 * @typedef {object} KillableEngine
 * @property {{ kill: () => Promise<void>, start: () => Promise<void> }} server
 * @property {(options: { dieAt: number, onMoment: (moment: string) => void }) => Promise<Worker>} open Starts a worker.
 * @property {string} effects File to which effects are appended.
 */

/**
 * Figures of a test.
 * @typedef {object} Survival
 * @property {number} runs Number of runs.
 * @property {number} ended Number of runs that ended.
 * @property {number} workerKills
 * @property {number} serverKills
 * @property {number} effects Number of unsafe effects.
 * @property {readonly string[]} repeated Effects that were executed more than once.
 * @property {Readonly<Record<string, number>>} statuses Number of runs by final status.
 * @property {number} unknown Number of effects whose outcome the model received as unknown.
 */

const STALL_MS = 60_000;
const IN_FLIGHT = 4;
const ENGINES = ["agent", "agent", "custom"];
const MAX_MOMENTS = 24;

/**
 * Executes runs while the worker and the server are killed at random moments, until the given number of kills.
 * @param {KillableEngine} engine
 * @param {{ kills: number, random: () => number, onRound?: (figures: string) => void }} options
 * @returns {Promise<Survival>}
 */
export async function surviveKills(engine, { kills, random, onRound = () => {} }) {
  /** @type {Map<string, { engine: string, outcome?: unknown }>} */
  const runs = new Map();
  const done = { workerKills: 0, serverKills: 0 };
  const open = () => [...runs].filter(([, run]) => run.outcome === undefined);
  const killed = () => done.workerKills + done.serverKills;
  while (killed() < kills || open().length > 0) {
    const isLast = killed() >= kills;
    while (!isLast && open().length < IN_FLIGHT) {
      runs.set(`run-${runs.size + 1}`, { engine: ENGINES[runs.size % ENGINES.length] ?? "agent" });
    }
    const moment = 1 + Math.floor(random() * MAX_MOMENTS);
    // The second kill is one of the server, so that a short test has both kinds.
    const isServer = !isLast && (killed() === 1 || random() < 1 / 3);
    await round(engine, { runs: open(), moment, victim: isLast ? "none" : isServer ? "server" : "worker", done });
    onRound(`${killed()} kills, ${runs.size - open().length} of ${runs.size} runs ended`);
  }
  return survivalOf(
    [...runs.values()].map(({ outcome }) => outcome),
    { ...done, effects: linesOf(engine.effects) },
  );
}

/**
 * Starts a worker that executes all open runs, until one of the parts was killed or the runs have ended.
 * @param {KillableEngine} engine
 * @param {{ runs: [string, { engine: string, outcome?: unknown }][], moment: number, victim: "none" | "server" | "worker", done: { workerKills: number, serverKills: number } }} options
 */
async function round(engine, { runs, moment, victim, done }) {
  let moments = 0;
  /** @type {Promise<void> | undefined} */
  let restarted;
  const onMoment = () => {
    moments += 1;
    if (victim !== "server" || moments !== moment) return;
    done.serverKills += 1;
    restarted = engine.server.kill().then(() => engine.server.start());
  };
  const worker = await engine.open({ dieAt: victim === "worker" ? moment : 0, onMoment }).catch(() => undefined);
  // A worker that did not become ready was killed while it recovered its workflows.
  let hasDied = worker === undefined;
  if (worker !== undefined) {
    const ended = Promise.all(runs.map(([id, run]) => finish(worker, id, run)));
    const stalled = new AbortController();
    const stall = delay(STALL_MS, "stalled", { signal: stalled.signal }).catch(() => "over");
    const how = await Promise.race([ended.then(() => "ended"), worker.exited.then(() => "killed"), stall]);
    stalled.abort();
    hasDied = how === "killed";
    await worker.kill();
    if (how === "stalled" && victim === "none")
      throw new Error(`runs do not end: ${runs.map(([id]) => id).join(", ")}`);
  }
  if (victim === "worker" && hasDied) done.workerKills += 1;
  await restarted;
}

/**
 * Starts a run, unless it was started before, and stores its outcome. Failures are ignored: the next round tries again.
 * @param {Worker} worker
 * @param {string} id
 * @param {{ engine: string, outcome?: unknown }} run
 */
async function finish(worker, id, run) {
  while (worker.isAlive() && run.outcome === undefined) {
    try {
      await worker.call("start", run.engine, id);
      run.outcome = await worker.call("result", id);
    } catch {
      // The server may be down.
      await delay(100);
    }
  }
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function linesOf(file) {
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

/**
 * @param {readonly unknown[]} outcomes
 * @param {{ workerKills: number, serverKills: number, effects: readonly string[] }} figures
 * @returns {Survival}
 */
function survivalOf(outcomes, { effects, ...kills }) {
  const repeated = effects.filter((line, index) => effects.indexOf(line) !== index);
  /** @type {Record<string, number>} */
  const statuses = {};
  for (const outcome of outcomes) {
    const status = String(Reflect.get(Object(outcome), "status"));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  // A transcript contains the result of a call twice: as text of the message, and in the field `tool_result`.
  const unknown =
    JSON.stringify(outcomes).split(/"status":"error","content":"unknown_outcome|"transport.unknown_outcome"/u).length -
    1;
  const ended = outcomes.filter((outcome) => outcome !== undefined).length;
  return { runs: outcomes.length, ended, ...kills, effects: effects.length, repeated, statuses, unknown };
}
