// @ts-check
import { compareContenders, inEachPair } from "./compare-contenders.mjs";
import { besideFigure, cpuPer, titleOf } from "./cost-figures.mjs";
import { workloadOf } from "./workload.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Column } from "./cost-figures.mjs" */

const SESSIONS = 500;
const ROUNDS = 20;
const OURS = ["session", "engine"];

/** @type {Column} */
const MEMORY = { unit: "KB a session", amountOf: ({ grownBytes }) => grownBytes / 1024 / SESSIONS };
/** @type {Column} */
const WALL = { unit: "ms", amountOf: ({ wallMs }) => wallMs };

/**
 * Measures CPU time, memory and duration of 500 concurrent sessions whose model takes 5 ms to respond.
 * @returns {readonly Figure[]}
 */
export function measureSessions() {
  const contenders = { ...inEachPair([...OURS, "pi", "floor"]), "ai-sdk": 1, "openai-agents": 1 };
  const costs = compareContenders(workloadOf({ rounds: ROUNDS, latencyMs: 5 }, SESSIONS), contenders);
  const cpu = cpuPer(SESSIONS * ROUNDS);
  const others = ["floor", "ai-sdk", "openai-agents"];
  return [
    ...OURS.flatMap((ours) => {
      // Our loop as a library, like the others: they have no host, board and events of an engine.
      const targetOf = (/** @type {number} */ atMost) => (ours === "session" ? { target: { atMost } } : {});
      const title = titleOf(ours);
      return [
        besideFigure(costs, { name: `a round, ${title}`, ours, yardstick: "pi", ...targetOf(0.5) }, cpu),
        besideFigure(costs, { name: `memory, ${title}`, ours, yardstick: "pi", ...targetOf(0.75) }, MEMORY),
        besideFigure(costs, { name: `time, ${title}`, ours, yardstick: "floor", ...targetOf(3) }, WALL),
      ];
    }),
    ...others.map((yardstick) => besideFigure(costs, { name: "a round, session", ours: "session", yardstick }, cpu)),
  ];
}
