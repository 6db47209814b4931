// @ts-check
import { benchSections } from "../figure/bench-sections.mjs";
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { quantileOf } from "../figure/spread.mjs";
import { startProcess } from "../server/start-process.mjs";

/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */
/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Figure } from "../figure/figure.mjs" */

const RUNS = 200;
const ROUNDS = 5;
/** Uncounted rounds of each contender, in which code is compiled. */
const WARM_UPS = 2;
/** Tokens that the provider reports for each call, besides the deltas. */
const INPUT_TOKENS = 9_000;

/**
 * A provider, a proxy and clients, each in its own process.
 * @typedef {object} Line
 * @property {(order: "at-once" | "in-turn") => Promise<{ firstMs: readonly number[], deltas: number, cpuUs: number, tokens: number }>} call
 * @property {() => Promise<void>} end
 */

/**
 * @param {{ contender: string, deltas: number, tickMs: number }} load
 * @returns {Promise<Line>}
 */
async function openLine({ contender, deltas, tickMs }) {
  const provider = startProcess("../gateway/provider-process.mjs", [deltas, tickMs]);
  const { url } = await provider.next();
  const proxy = startProcess("../gateway/proxy-process.mjs", [contender, url, RUNS]);
  const client = startProcess("../gateway/client-process.mjs", [JSON.stringify(await proxy.next())]);
  return {
    async call(order) {
      proxy.write("reset");
      await proxy.next();
      client.write(order);
      const called = await client.next();
      proxy.write("measure");
      return { ...called, ...(await proxy.next()) };
    },
    async end() {
      for (const one of [client, proxy, provider]) await one.end();
    },
  };
}

/**
 * Calls contenders alternately, and returns the results of the counted rounds.
 * @template {string} Name
 * @param {readonly Name[]} names
 * @param {{ deltas: number, tickMs: number, order: "at-once" | "in-turn" }} load
 */
async function takeTurns(names, { order, ...load }) {
  const lines = await Promise.all(
    names.map(async (name) => /** @type {const} */ ([name, await openLine({ contender: name, ...load })])),
  );
  /** @type {Map<Name, Awaited<ReturnType<Line["call"]>>[]>} */
  const results = new Map(names.map((name) => [name, []]));
  try {
    for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
      for (const [name, line] of round % 2 === 0 ? lines : lines.toReversed()) {
        const result = await line.call(order);
        if (round >= WARM_UPS) results.get(name)?.push(result);
      }
    }
  } finally {
    for (const [, line] of lines) await line.end();
  }
  return (/** @type {Name} */ name) => results.get(name) ?? [];
}

/** @returns {Promise<readonly Figure[]>} */
async function measureDeltas() {
  const deltas = 100;
  const resultsOf = await takeTurns(/** @type {const} */ (["ours", "bare"]), { deltas, tickMs: 40, order: "at-once" });
  const [ours, bare] = [resultsOf("ours"), resultsOf("bare")];
  const cpu = (/** @type {typeof ours} */ results) => results.map((result) => result.cpuUs / (RUNS * deltas));
  const missing = [...ours, ...bare].reduce((sum, result) => sum + RUNS * deltas - result.deltas, 0);
  const calls = RUNS * (WARM_UPS + ROUNDS);
  return [
    ratioFigure({ name: "CPU per delta, call included", unit: "us", target: { atMost: 1.5 } }, cpu(ours), {
      name: "node:http proxy",
      values: cpu(bare),
    }),
    plainFigure({ name: "deltas that did not arrive", unit: "", target: { exactly: 0 } }, missing),
    plainFigure(
      { name: "tokens that were not measured", unit: "", target: { exactly: 0 } },
      calls * (INPUT_TOKENS + deltas) - (ours.at(-1)?.tokens ?? 0),
    ),
  ];
}

/** @returns {Promise<readonly Figure[]>} */
async function measureFirst() {
  const load = /** @type {const} */ ({ deltas: 0, tickMs: 1, order: "in-turn" });
  const resultsOf = await takeTurns(/** @type {const} */ (["direct", "ours", "bare"]), load);
  // All rounds together, because the added time is a small difference of two times.
  const p50 = (/** @type {"direct" | "ours" | "bare"} */ name) =>
    quantileOf(
      resultsOf(name).flatMap(({ firstMs }) => firstMs),
      0.5,
    );
  const added = (/** @type {"ours" | "bare"} */ name) => [p50(name) - p50("direct")];
  return [
    ratioFigure({ name: "p50 added to the first token", unit: "ms", target: { atMost: 1.2 } }, added("ours"), {
      name: "ms, node:http proxy",
      values: added("bare"),
    }),
  ];
}

/**
 * Measures the model gateway, compared with a minimal pass-through proxy of `node:http`.
 * @param {BenchOptions} options
 */
export function benchGateway(options) {
  /** @type {Readonly<Record<SectionName<"gateway">, Section>>} */
  const sections = {
    deltas: { title: "200 runs at once, each with a response of 100 deltas", measure: measureDeltas },
    first: { title: "Calls of 200 runs in turn, with requests of 32 KB", measure: measureFirst },
  };
  return benchSections(sections, options);
}
