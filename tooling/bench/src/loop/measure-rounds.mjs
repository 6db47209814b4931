// @ts-check
import { ratioFigure } from "../figure/figure.mjs";
import { targetOf } from "../targets.mjs";
import { compareContenders, inEachPair } from "./compare-contenders.mjs";
import { besideFigure, cpuPer, GROWTH, OURS, titleOf } from "./cost-figures.mjs";
import { workloadOf } from "./workload.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Cost } from "./workload.mjs" */
/** @typedef {{ rounds: number, resultChars: number, target?: string, others: Readonly<Record<string, number>> }} Case */

/** Cases. Contenders without a target take part less often; slow ones once or never. @type {readonly Case[]} */
const CASES = [
  { rounds: 10, resultChars: 200, others: { "ai-sdk": 3, "openai-agents": 3 } },
  { rounds: 100, resultChars: 200, target: "round-100", others: { "ai-sdk": 3, "openai-agents": 3 } },
  { rounds: 1_000, resultChars: 200, target: "round-1000", others: { "ai-sdk": 3, "openai-agents": 1 } },
  { rounds: 3_000, resultChars: 200, target: "round-3000", others: { "ai-sdk": 1 } },
  { rounds: 200, resultChars: 50_000, others: { "ai-sdk": 3, "openai-agents": 1 } },
];

/** Runs flush each round to a disk, so they take part less often. */
const STORED = { files: 3, sqlite: 3, flushes: 3 };

/** @param {Case} chosen */
function nameOf({ rounds, resultChars }) {
  return `${rounds.toLocaleString("en-US")} rounds${resultChars > 1_000 ? " of 50 KB" : ""}`;
}

/** @param {Case} chosen @returns {(name: string) => readonly Cost[]} */
function compare({ rounds, resultChars, others }) {
  const contenders = { ...inEachPair(["iterator", "pi", "floor"]), ...STORED, ...others };
  return compareContenders(workloadOf({ rounds, resultChars }), contenders);
}

/**
 * @param {Case} chosen
 * @param {(name: string) => readonly Cost[]} costs
 * @returns {readonly Figure[]}
 */
function figuresOf(chosen, costs) {
  const [title, column] = [nameOf(chosen), cpuPer(chosen.rounds)];
  const target = chosen.target === undefined ? undefined : targetOf(chosen.target);
  const own = OURS.map((ours) => {
    const row = { name: `${title}, ${titleOf(ours)}`, ours, yardstick: "pi" };
    return besideFigure(costs, ours === "iterator" ? { ...row, target } : row, column);
  });
  const others = ["floor", ...Object.keys(chosen.others)].map((yardstick) =>
    besideFigure(costs, { name: `${title}, session`, ours: "iterator", yardstick }, column),
  );
  return [...own, ...others];
}

/** @typedef {(rounds: number) => (name: string) => readonly Cost[]} CostsOf */

/** Returns the CPU time of all rounds, in microseconds. @param {number} rounds @param {CostsOf} costsOf @param {string} name */
function wholeCpuOf(rounds, costsOf, name) {
  return costsOf(rounds)(name).map(cpuPer(1).amountOf);
}

/** Compares runs in a file store with pi, without the two flushes of a round. @param {number} rounds @param {CostsOf} costsOf */
function withoutFlushes(rounds, costsOf) {
  const flushes = wholeCpuOf(rounds, costsOf, "flushes");
  const own = wholeCpuOf(rounds, costsOf, "files").map((cpu, pair) => (cpu - (flushes[pair] ?? 0)) / rounds);
  const name = `${rounds.toLocaleString("en-US")} rounds, run in a file store without its flushes`;
  const values = costsOf(rounds)("pi").map(cpuPer(rounds).amountOf);
  return ratioFigure({ name, unit: "µs CPU", target: targetOf(`run-${rounds}`) }, own, { name: titleOf("pi"), values });
}

/**
 * Returns the CPU time of a later round, without the start of the session or run.
 * @param {{ from: number, to: number }} range numbers of rounds of two measured cases
 * @param {CostsOf} costsOf
 * @param {string} name
 */
function laterCpuOf({ from, to }, costsOf, name) {
  const before = wholeCpuOf(from, costsOf, name);
  return wholeCpuOf(to, costsOf, name).map((cpu, pair) => (cpu - (before[pair] ?? 0)) / (to - from));
}

/** Measures whether a round costs the same at the end. @param {CostsOf} costsOf */
function flatness(costsOf) {
  const perRound = (/** @type {number} */ rounds, /** @type {string} */ name) =>
    costsOf(rounds)(name).map(cpuPer(rounds).amountOf);
  const whole = ["iterator", "pi", "floor"].map((name) =>
    ratioFigure(
      {
        name: `3,000 rounds beside 100, ${titleOf(name)}`,
        unit: "µs CPU",
        ...(name === "iterator" ? { target: targetOf("round-flat") } : {}),
      },
      perRound(3_000, name),
      { name: "at 100", values: perRound(100, name) },
    ),
  );
  const later = ["files", "sqlite"].map((name) =>
    ratioFigure(
      {
        name: `rounds 1,001 to 3,000 beside 101 to 1,000, ${titleOf(name)}`,
        unit: "µs CPU",
        ...(name === "files" ? { target: targetOf("run-flat") } : {}),
      },
      laterCpuOf({ from: 1_000, to: 3_000 }, costsOf, name),
      { name: "before", values: laterCpuOf({ from: 100, to: 1_000 }, costsOf, name) },
    ),
  );
  return [...whole, ...later];
}

/** @param {(name: string) => readonly Cost[]} costs */
function memory(costs) {
  return OURS.map((ours) => {
    const row = { name: `3,000 rounds, memory, ${titleOf(ours)}`, ours, yardstick: "pi" };
    return besideFigure(costs, ours === "iterator" ? { ...row, target: { atMost: 1 } } : row, GROWTH);
  });
}

/**
 * Measures the CPU time of a tool round with a model without latency, at several lengths, compared with other loops.
 * @returns {readonly Figure[]}
 */
export function measureRounds() {
  const measured = CASES.map((chosen) => ({ chosen, costs: compare(chosen) }));
  const none = () => /** @type {readonly Cost[]} */ ([]);
  /** @type {CostsOf} */
  const costsOf = (rounds) => measured.find(({ chosen }) => chosen.rounds === rounds)?.costs ?? none;
  const figures = measured.flatMap(({ chosen, costs }) => figuresOf(chosen, costs));
  const beyond = [1_000, 3_000].map((rounds) => withoutFlushes(rounds, costsOf));
  return [...figures, ...beyond, ...flatness(costsOf), ...memory(costsOf(3_000))];
}
