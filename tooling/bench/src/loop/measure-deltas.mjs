// @ts-check
import { plainFigure } from "../figure/figure.mjs";
import { targetOf } from "../targets.mjs";
import { compareContenders, inEachPair } from "./compare-contenders.mjs";
import { besideFigure, cpuPer, GROWTH, OURS, titleOf } from "./cost-figures.mjs";
import { workloadOf } from "./workload.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const DELTAS = 20_000;
const OTHERS = { "ai-sdk": 3, "openai-agents": 3 };

/**
 * Measures CPU time and memory of a response with 20,000 deltas, compared with other loops.
 * @returns {readonly Figure[]}
 */
export function measureDeltas() {
  const contenders = { ...inEachPair([...OURS, "pi", "floor"]), ...OTHERS };
  const costs = compareContenders(workloadOf({ deltas: DELTAS }), contenders);
  const column = cpuPer(DELTAS);
  const beside = ["floor", ...Object.keys(OTHERS)];
  return [
    ...OURS.map((ours) => {
      // The others have no host that receives each increment and masks secrets.
      const target = ours === "iterator" ? targetOf("delta") : undefined;
      return besideFigure(costs, { name: titleOf(ours), ours, yardstick: "pi", target }, column);
    }),
    ...beside.map((yardstick) => besideFigure(costs, { name: "session", ours: "iterator", yardstick }, column)),
    ...OURS.map((ours) => {
      const row = { name: `memory, ${titleOf(ours)}`, ours, yardstick: "pi" };
      return besideFigure(costs, ours === "iterator" ? { ...row, target: { atMost: 1 } } : row, GROWTH);
    }),
  ];
}

/**
 * Measures how much of a burst of 20,000 deltas reaches a listener that takes an event loop turn for each.
 * @returns {readonly Figure[]}
 */
export function measureBurst() {
  const workload = workloadOf({ deltas: DELTAS, slow: true });
  const names = [...OURS, "pi", ...Object.keys(OTHERS)];
  const costs = compareContenders(workload, Object.fromEntries(names.map((name) => [name, 1])));
  return names.map((name) => {
    const [cost] = costs(name);
    const delivered = cost?.isWhole === true ? DELTAS - cost.missing : 0;
    const label = { name: `${titleOf(name)}, the text whole`, unit: "of 20,000" };
    return plainFigure(OURS.includes(name) ? { ...label, target: { exactly: DELTAS } } : label, delivered);
  });
}
