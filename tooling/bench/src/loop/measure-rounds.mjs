// @ts-check
import { ratioFigure } from "../figure/figure.mjs";
import { compareContenders, inEachPair } from "./compare-contenders.mjs";
import { besideFigure, cpuPer, GROWTH, titleOf } from "./cost-figures.mjs";
import { workloadOf } from "./workload.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Cost } from "./workload.mjs" */
/** @typedef {{ rounds: number, resultChars: number, isBound: boolean, others: Readonly<Record<string, number>> }} Case */

/** Our loop as a library, like the others, and with the contract and checkpoints, which the others lack. */
const OURS = ["session", "engine", "durable"];
const LOOP = "session";

/** Cases. Contenders without a target take part less often; slow ones once or never. @type {readonly Case[]} */
const CASES = [
  { rounds: 10, resultChars: 200, isBound: false, others: { "ai-sdk": 3, "openai-agents": 3 } },
  { rounds: 100, resultChars: 200, isBound: true, others: { "ai-sdk": 3, "openai-agents": 3 } },
  { rounds: 1_000, resultChars: 200, isBound: true, others: { "ai-sdk": 3, "openai-agents": 1 } },
  { rounds: 3_000, resultChars: 200, isBound: true, others: { "ai-sdk": 1 } },
  { rounds: 200, resultChars: 50_000, isBound: false, others: { "ai-sdk": 3, "openai-agents": 1 } },
];

const HALF = { atMost: 0.5 };

/** @param {Case} chosen */
function nameOf({ rounds, resultChars }) {
  return `${rounds.toLocaleString("en-US")} rounds${resultChars > 1_000 ? " of 50 KB" : ""}`;
}

/** @param {Case} chosen @returns {(name: string) => readonly Cost[]} */
function compare({ rounds, resultChars, others }) {
  const contenders = { ...inEachPair([...OURS, "pi", "floor"]), ...others };
  return compareContenders(workloadOf({ rounds, resultChars }), contenders);
}

/**
 * @param {Case} chosen
 * @param {(name: string) => readonly Cost[]} costs
 * @returns {readonly Figure[]}
 */
function figuresOf(chosen, costs) {
  const [title, column] = [nameOf(chosen), cpuPer(chosen.rounds)];
  const bound = OURS.map((ours) => {
    const row = { name: `${title}, ${titleOf(ours)}`, ours, yardstick: "pi" };
    return besideFigure(costs, chosen.isBound && ours === LOOP ? { ...row, target: HALF } : row, column);
  });
  const others = ["floor", ...Object.keys(chosen.others)].map((yardstick) =>
    besideFigure(costs, { name: `${title}, session`, ours: "session", yardstick }, column),
  );
  return [...bound, ...others];
}

/** @param {number} rounds @param {(rounds: number) => (name: string) => readonly Cost[]} costsOf @param {string} name */
function cpuOf(rounds, costsOf, name) {
  return costsOf(rounds)(name).map(cpuPer(rounds).amountOf);
}

/**
 * Measures whether a round costs the same at the end.
 * @param {(rounds: number) => (name: string) => readonly Cost[]} costsOf
 */
function flatness(costsOf) {
  return [...OURS, "pi", "floor"].map((name) => {
    const label = { name: `3,000 rounds beside 100, ${titleOf(name)}`, unit: "µs CPU" };
    const yardstick = { name: "at 100", values: cpuOf(100, costsOf, name) };
    return ratioFigure(
      OURS.includes(name) ? { ...label, target: { atMost: 1.2 } } : label,
      cpuOf(3_000, costsOf, name),
      yardstick,
    );
  });
}

/** @param {(name: string) => readonly Cost[]} costs */
function memory(costs) {
  return OURS.map((ours) => {
    const row = { name: `3,000 rounds, memory, ${titleOf(ours)}`, ours, yardstick: "pi" };
    return besideFigure(costs, ours === LOOP ? { ...row, target: { atMost: 1 } } : row, GROWTH);
  });
}

/**
 * Measures the CPU time of a tool round with a model without latency, at several lengths, compared with other loops.
 * @returns {readonly Figure[]}
 */
export function measureRounds() {
  const measured = CASES.map((chosen) => ({ chosen, costs: compare(chosen) }));
  const none = () => /** @type {readonly Cost[]} */ ([]);
  const costsOf = (/** @type {number} */ rounds) =>
    measured.find(({ chosen }) => chosen.rounds === rounds)?.costs ?? none;
  const figures = measured.flatMap(({ chosen, costs }) => figuresOf(chosen, costs));
  return [...figures, ...flatness(costsOf), ...memory(costsOf(3_000))];
}
