// @ts-check
import { join } from "node:path";
import { runApart } from "../figure/bench-sections.mjs";
import { ratioFigure } from "../figure/figure.mjs";
import { startModelServer } from "./requests/start-model-server.mjs";
import { FAMILIES } from "./requests/wire-stream.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { Case } from "./requests/request-contenders.mjs" */

/** Number of processes per case, because compilation varies. */
const PROCESSES = 7;
/** Numbers of streamed deltas in a response. */
const ANSWERS = [1, 200, 2000];
/** Numbers of messages in a request's conversation. */
const HISTORIES = [3, 1000];
/** Maximum cost of our own part of a request, as a ratio. */
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
 * Measures the CPU time of a streamed request over loopback HTTP, compared with the AI SDK provider that it uses.
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
