// @ts-check
import { benchSections } from "../figure/bench-sections.mjs";
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { medianOf } from "../figure/spread.mjs";
import { fanOut } from "./fan-out.mjs";
import { measureLive } from "./live/measure-live.mjs";
import { runAtOnce } from "./runs-at-once.mjs";

/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */
/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Figure } from "../figure/figure.mjs" */
/** @import { FanOut } from "./fan-out.mjs" */
/** @import { RunsAtOnce } from "./runs-at-once.mjs" */

/** Delivered events per second, all clients together. */
const DELIVERED_PER_SECOND = 20_000;
const SECONDS = 3;
const ROUNDS = 3;
const CONTENDERS = /** @type {const} */ (["ours", "response-write", "hono-stream"]);

/**
 * Measures the server's CPU time per delivered delta of one run with many clients, and the delivery time.
 * @param {number} clients
 * @returns {Promise<readonly Figure[]>}
 */
async function measureFanOut(clients) {
  /** @type {Record<string, FanOut[]>} */
  const taken = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const contender of round % 2 === 0 ? CONTENDERS : CONTENDERS.toReversed()) {
      const measured = await fanOut({ contender, clients, perSecond: DELIVERED_PER_SECOND, seconds: SECONDS });
      taken[contender] = [...(taken[contender] ?? []), measured];
    }
  }
  /** @param {string} contender @param {"cpuUs" | "p99Ms"} of */
  const values = (contender, of) => (taken[contender] ?? []).map((measured) => measured[of]);
  const ours = taken["ours"] ?? [];
  const missing = ours.reduce((sum, { expected, delivered }) => sum + expected - delivered, 0);
  const [write, hono] = ["response-write", "hono-stream"];
  // For one client, a run costs more than its stream.
  const target = (/** @type {number} */ atMost) => (clients >= 100 ? { target: { atMost } } : {});
  return [
    ratioFigure({ name: "CPU per delivered event", unit: "us", ...target(1.1) }, values("ours", "cpuUs"), {
      name: "node:http write",
      values: values(write, "cpuUs"),
    }),
    ratioFigure({ name: "CPU per delivered event", unit: "us", ...target(0.35) }, values("ours", "cpuUs"), {
      name: "hono streamSSE",
      values: values(hono, "cpuUs"),
    }),
    ratioFigure(
      { name: "p99 until it arrives", unit: "ms", ...(clients >= 1_000 ? { target: { atMost: 1 } } : {}) },
      values("ours", "p99Ms"),
      { name: "node:http write", values: values(write, "p99Ms") },
    ),
    plainFigure({ name: "events that did not arrive", unit: "", target: { exactly: 0 } }, missing),
  ];
}

/** @returns {Promise<readonly Figure[]>} */
async function measureStalled() {
  // Too much for the system's buffers.
  const clients = 10;
  /** @type {[FanOut[], FanOut[]]} */
  const [without, stalled] = [[], []];
  const load = { contender: "ours", clients, perSecond: 500, seconds: SECONDS, characters: 150_000 };
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await fanOut(load));
    stalled.push(await fanOut({ ...load, stalled: 1 }));
  }
  const p99 = (/** @type {FanOut[]} */ all) => all.map(({ p99Ms }) => p99Ms);
  const waiting = Math.max(...stalled.map(({ waitingBytes }) => waitingBytes));
  return [
    ratioFigure({ name: "p99 of the others", unit: "ms", target: { atMost: 1.2 } }, p99(stalled), {
      name: "without it",
      values: p99(without),
    }),
    plainFigure(
      { name: "most that waited for it in the server", unit: "KiB", target: { atMost: 1_300 } },
      Math.round(waiting / 1024),
    ),
  ];
}

/**
 * Compares 500 concurrent runs with 50: the cost of a run must not depend on the number of others.
 * @returns {Promise<readonly Figure[]>}
 */
async function measureRuns() {
  /** @type {[RunsAtOnce[], RunsAtOnce[]]} */
  const [many, few] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push(await runAtOnce(50));
    many.push(await runAtOnce(500));
  }
  const unfinished = [...many, ...few].reduce((sum, one) => sum + one.unfinished, 0);
  const cpu = (/** @type {RunsAtOnce[]} */ all) => all.map(({ cpuMs }) => cpuMs);
  return [
    ratioFigure({ name: "CPU of a run", unit: "ms", target: { atMost: 1.3 } }, cpu(many), {
      name: "ms, of 50",
      values: cpu(few),
    }),
    plainFigure({ name: "time until all 500 are over", unit: "ms" }, medianOf(many.map(({ wallMs }) => wallMs))),
    plainFigure({ name: "memory", unit: "MB" }, medianOf(many.map(({ peakMb }) => peakMb))),
    plainFigure({ name: "runs that did not complete", unit: "", target: { exactly: 0 } }, unfinished),
  ];
}

/**
 * Measures event streams, compared with `response.write` of `node:http` and hono's helper.
 * @param {BenchOptions} options
 */
export function benchServer(options) {
  /** @type {Readonly<Record<SectionName<"server">, Section>>} */
  const sections = {
    one: { title: "Events of a run to 1 client", measure: () => measureFanOut(1) },
    hundred: { title: "Events of a run to 100 clients", measure: () => measureFanOut(100) },
    thousand: { title: "Events of a run to 1,000 clients", measure: () => measureFanOut(1_000) },
    stalled: { title: "10 clients, and one that reads nothing", measure: measureStalled },
    runs: { title: "500 runs at once, of 20 steps with a checkpoint each, all of them watched", measure: measureRuns },
    live: {
      title: "1,000 live runs of the built-in agent, all of them watched",
      measure: () => measureLive({ churnMinutes: options.churnMinutes ?? 0 }),
    },
  };
  return benchSections(sections, options);
}
