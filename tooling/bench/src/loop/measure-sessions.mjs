// @ts-check

import { targetOf } from "../targets.mjs";
import { compareContenders, inEachPair } from "./compare-contenders.mjs";
import { besideFigure, cpuPer, OURS, titleOf } from "./cost-figures.mjs";
import { workloadOf } from "./workload.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Column } from "./cost-figures.mjs" */

const SESSIONS = 500;
const ROUNDS = 20;

/** @type {Column} */
const MEMORY = { unit: "KB a session", amountOf: ({ grownBytes }) => grownBytes / 1024 / SESSIONS };
/** @type {Column} */
const WALL = { unit: "ms", amountOf: ({ wallMs }) => wallMs };

/** Runs store events and checkpoints and compute a diff of their workspace, so they take part less often. */
const OTHERS = { files: 1, sqlite: 1, "ai-sdk": 1, "openai-agents": 1 };

/**
 * Measures CPU time, memory and duration of 500 concurrent sessions whose model takes 5 ms to respond.
 * @returns {readonly Figure[]}
 */
export function measureSessions() {
  const contenders = { ...inEachPair(["iterator", "pi", "floor"]), ...OTHERS };
  const costs = compareContenders(workloadOf({ rounds: ROUNDS, latencyMs: 5 }, SESSIONS), contenders);
  const cpu = cpuPer(SESSIONS * ROUNDS);
  const rows = OURS.flatMap((ours) => {
    const isLibrary = ours === "iterator";
    const [atCpu, atMemory, atTime] = isLibrary
      ? [targetOf("sessions-cpu"), targetOf("sessions-memory"), { atMost: 3 }]
      : [];
    const title = titleOf(ours);
    return [
      besideFigure(costs, { name: `a round, ${title}`, ours, yardstick: "pi", target: atCpu }, cpu),
      besideFigure(costs, { name: `memory, ${title}`, ours, yardstick: "pi", target: atMemory }, MEMORY),
      besideFigure(costs, { name: `time, ${title}`, ours, yardstick: "floor", target: atTime }, WALL),
    ];
  });
  const others = ["floor", "ai-sdk", "openai-agents"];
  return [
    ...rows,
    ...others.map((yardstick) => besideFigure(costs, { name: "a round, session", ours: "iterator", yardstick }, cpu)),
  ];
}
