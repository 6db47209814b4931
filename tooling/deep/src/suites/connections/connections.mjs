// @ts-check
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Caller } from "./caller.mjs";

/** @import { DeepFailure, DeepOptions, DeepResult, DeepSuite } from "../../deep-suite.mjs" */
/** @import { Answer } from "./caller.mjs" */

/** Maximum number of open connections. */
const WAVE = 1_000;
/** Number of requests per batch. Batches with and without attack alternate. */
const BATCH = 100;
/** Number of warm-up requests, because newly loaded code is slow. */
const WARM_UP = 500;
/** Maximum ratio of response times with and without attack. */
const MAX_RATIO = 1.2;
/** Minimum number of cases for comparing times. Fewer are not significant on a busy machine. */
const MIN_TIMED = 5_000;
/** A quarter of the server's 1,000 connections, and those of a burst that have not had time for a request. */
const MAX_UNAUTHENTICATED = 250;
const MAX_BURST = 512;
const SETTLE_MS = 15_000;

const SERVER = new URL("./server-process.mjs", import.meta.url);
const ATTACKER = new URL("./attacker-process.mjs", import.meta.url);

/** @type {DeepSuite} */
export const connectionsSuite = {
  name: "connections",
  title:
    "Each test case of this suite opens a connection to a server, from one of 201 addresses; the connection stays silent or sends invalid data. While these connections are open, the server must respond to each request of an authenticated caller, and the median response time must be at most 1.2 times as long as without these connections. The server must close connections that exceed its limits.",
  counts: { deep: 10_000, quick: 1_500 },
  run: (options) => attack({ ...options, server: SERVER }),
};

/**
 * Attacks a server. `server` is the module of its process.
 * @param {DeepOptions & { server: URL }} options
 * @returns {Promise<DeepResult>}
 */
export async function attack({ seed, first, count, log, server: module }) {
  const state = await mkdtemp(join(tmpdir(), "switchyard-connections-"));
  const token = randomBytes(24).toString("hex");
  const server = fork(module, [state, token], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
  const attacker = fork(ATTACKER, [], { execArgv: [] });
  try {
    const [{ port }] = await once(server, "message");
    const caller = new Caller(port, token);
    await caller.askOften(WARM_UP);
    /** @type {Measured} */
    const measured = { idle: [], attacked: [], inStorm: [], ratios: [], held: [], failures: [] };
    for (let from = first; from < first + count; from += WAVE) {
      const wave = { port, seed, first: from, count: Math.min(WAVE, first + count - from) };
      await measureWave(caller, attacker, { wave, measured });
      log(`${from + wave.count - first} connections, at most ${Math.max(...measured.held)} held`);
    }
    return resultOf(measured, { first, count });
  } finally {
    await Promise.all([end(attacker), end(server)]);
    await rm(state, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * @typedef {object} Measured
 * @property {Answer[]} idle
 * @property {Answer[]} attacked
 * @property {Answer[]} inStorm
 * @property {number[]} ratios Of the median under the attack and the one before and after it, for each wave.
 * @property {number[]} held Unauthenticated connections that the server held.
 * @property {DeepFailure[]} failures
 */

/**
 * Measures the caller with and without the connections of a wave, alternately.
 * @param {Caller} caller
 * @param {import("node:child_process").ChildProcess} attacker
 * @param {{ wave: { port: number, seed: number, first: number, count: number }, measured: Measured }} options
 * @returns {Promise<void>}
 */
async function measureWave(caller, attacker, { wave, measured }) {
  const before = await caller.askOften(BATCH);
  const opened = once(attacker, "message");
  attacker.send({ type: "open", ...wave });
  await stormed(caller, opened, measured);
  measured.held.push(await caller.connections("unauthenticated"));
  await settled(caller, { wave, measured });
  const attacked = await caller.askOften(2 * BATCH);
  const closed = once(attacker, "message");
  attacker.send({ type: "close" });
  await closed;
  const idle = [...before, ...(await caller.askOften(BATCH))];
  measured.idle.push(...idle);
  measured.attacked.push(...attacked);
  measured.ratios.push(quantile(attacked, 0.5) / quantile(idle, 0.5));
}

/**
 * Sends requests while the connections are being opened.
 * @param {Caller} caller
 * @param {Promise<unknown>} opened
 * @param {Measured} measured
 * @returns {Promise<void>}
 */
async function stormed(caller, opened, measured) {
  let isOpen = false;
  const done = opened.then(() => {
    isOpen = true;
  });
  while (!isOpen) {
    measured.inStorm.push(await caller.ask());
    measured.held.push(await caller.connections("unauthenticated"));
  }
  await done;
}

/**
 * Waits until the server has closed connections above its limits.
 * @param {Caller} caller
 * @param {{ wave: { first: number }, measured: Measured }} options
 * @returns {Promise<void>}
 */
async function settled(caller, { wave, measured }) {
  const until = performance.now() + SETTLE_MS;
  let held = Number.POSITIVE_INFINITY;
  while (held > MAX_UNAUTHENTICATED && performance.now() < until) held = await caller.connections("unauthenticated");
  if (!(held <= MAX_UNAUTHENTICATED)) {
    measured.failures.push({ case: wave.first, problem: `the server still holds ${held} unauthenticated connections` });
  }
}

/**
 * @param {Measured} measured
 * @param {{ first: number, count: number }} extent
 * @returns {DeepResult}
 */
function resultOf({ idle, attacked, inStorm, ratios, held, failures }, { first, count }) {
  const all = [...idle, ...attacked, ...inStorm];
  const refused = all.filter(({ status }) => status !== 200);
  // Other load changes between waves; the batches of one wave are seconds apart, with the attack between them.
  const ratio = middleOf(ratios);
  const counted = held.filter((number) => !Number.isNaN(number));
  const most = Math.max(...counted);
  const problems = [
    ...(refused.length === 0 ? [] : [`${refused.length} of ${all.length} requests with a token were not answered`]),
    ...(counted.length === held.length
      ? []
      : [`${held.length - counted.length} requests for metrics were not answered`]),
    ...(most <= MAX_UNAUTHENTICATED + MAX_BURST ? [] : [`the server held ${most} unauthenticated connections`]),
    ...(count < MIN_TIMED || ratio <= MAX_RATIO ? [] : [`an answer took ${ratio.toFixed(2)} times as long`]),
  ];
  return {
    cases: count,
    figures: {
      "requests with a valid token": all.length,
      "requests with a valid token that got no response": refused.length,
      "maximum number of unauthenticated connections": most,
      "median response time without the attack, in ms": quantile(idle, 0.5).toFixed(2),
      "median response time during the attack, in ms": quantile(attacked, 0.5).toFixed(2),
      "ratio of the median during the attack to that without it, in the middle wave": ratio.toFixed(2),
      "99th percentile of the response time without the attack, in ms": quantile(idle, 0.99).toFixed(2),
      "99th percentile of the response time during the attack, in ms": quantile(attacked, 0.99).toFixed(2),
      "slowest response while connections are opened, in ms": quantile(inStorm, 1).toFixed(0),
    },
    failures: [...failures, ...problems.map((problem) => ({ case: first, problem }))],
  };
}

/**
 * @param {readonly number[]} values
 * @returns {number}
 */
function middleOf(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * @param {readonly Answer[]} answers
 * @param {number} share
 * @returns {number}
 */
function quantile(answers, share) {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<void>}
 */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
