// @ts-check
import { join } from "node:path";
import { runApart } from "../figure/bench-sections.mjs";
import { ratioFigure } from "../figure/figure.mjs";
import { startModelServer } from "./requests/start-model-server.mjs";
import { FAMILIES } from "./requests/wire-stream.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Case } from "./requests/request-contenders.mjs" */

/** Processes that measure a case: what one has compiled, and when, is luck. */
const PROCESSES = 7;
/** Streamed deltas of an answer. */
const ANSWERS = [1, 200, 2000];
/** Messages of the conversation that a request carries. */
const HISTORIES = [3, 1000];
/** Our own part of a request. */
const TARGET = { atMost: 1.2 };

const SCRIPT = join(import.meta.dirname, "requests-process.mjs");

/**
 * @param {string} url
 * @param {Case} chosen
 * @returns {Figure}
 */
function measureCase(url, chosen) {
  const { family, deltas, messages } = chosen;
  const costs = Array.from({ length: PROCESSES }, () => runApart(SCRIPT, [url, JSON.stringify(chosen)]));
  const name = `${family}, ${deltas} delta${deltas === 1 ? "" : "s"}, ${messages} messages`;
  const yardstick = { name: "µs, AI SDK's provider", values: costs.map(({ sdk }) => sdk) };
  return ratioFigure(
    { name, unit: "µs CPU", target: TARGET },
    costs.map(({ ours }) => ours),
    yardstick,
  );
}

/**
 * CPU of a streamed request over loopback HTTP, beside the AI SDK's provider that it is made with.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureRequests() {
  const server = await startModelServer();
  const cases = FAMILIES.flatMap((family) =>
    HISTORIES.flatMap((messages) => ANSWERS.map((deltas) => ({ family, messages, deltas }))),
  );
  try {
    return cases.map((chosen) => measureCase(server.url, chosen));
  } finally {
    await server.stop();
  }
}
