// @ts-check
import { ratioFigure } from "../figure/figure.mjs";
import { cpuOf, takeTurns } from "../figure/take-turns.mjs";
import { requestContenders } from "./requests/request-contenders.mjs";
import { startModelServer } from "./requests/start-model-server.mjs";
import { FAMILIES } from "./requests/wire-stream.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Contender } from "../figure/take-turns.mjs" */
/** @import { Case } from "./requests/request-contenders.mjs" */

const ROUNDS = 7;
/** Streamed deltas of an answer, and how many requests one turn makes. */
const ANSWERS = [
  { deltas: 1, count: 60 },
  { deltas: 200, count: 12 },
  { deltas: 2000, count: 3 },
];
/** Messages of the conversation that a request carries. */
const HISTORIES = [3, 1000];
/** Our own part of a request. */
const TARGET = { atMost: 1.2 };

/**
 * @param {number} count
 * @param {() => Promise<void>} ask
 * @returns {Contender}
 */
function asked(count, ask) {
  return {
    count,
    run: async () => {
      for (let made = 0; made < count; made += 1) await ask();
    },
  };
}

/**
 * @param {string} url
 * @param {Case & { count: number }} chosen
 * @returns {Promise<Figure>}
 */
async function measureCase(url, { count, ...chosen }) {
  const { ours, sdk } = requestContenders(url, chosen);
  const costs = await takeTurns({ ours: asked(count, ours), sdk: asked(count, sdk) }, ROUNDS);
  const { family, deltas, messages } = chosen;
  const name = `${family}, ${deltas} delta${deltas === 1 ? "" : "s"}, ${messages} messages`;
  const yardstick = { name: "µs, AI SDK's provider", values: cpuOf(costs("sdk")) };
  return ratioFigure({ name, unit: "µs CPU", target: TARGET }, cpuOf(costs("ours")), yardstick);
}

/**
 * CPU of a streamed request over loopback HTTP, beside the AI SDK's provider that it is made with.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureRequests() {
  const server = await startModelServer();
  /** @type {Figure[]} */
  const figures = [];
  try {
    for (const family of FAMILIES)
      for (const messages of HISTORIES)
        for (const answer of ANSWERS) figures.push(await measureCase(server.url, { family, messages, ...answer }));
  } finally {
    await server.stop();
  }
  return figures;
}
