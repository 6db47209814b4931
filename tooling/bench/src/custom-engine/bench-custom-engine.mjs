// @ts-check
import { join } from "node:path";
import { benchSections, runApart } from "../figure/bench-sections.mjs";
import { plainFigure, ratioFigure } from "../figure/figure.mjs";
import { medianOf } from "../figure/spread.mjs";

/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */
/** @import { Figure } from "../figure/figure.mjs" */

const CALLS = join(import.meta.dirname, "calls-process.mjs");
const ARCHIVE = join(import.meta.dirname, "archive-process.mjs");

/**
 * Measures one call of an engine, compared with the bare command or request.
 * @param {string} transport
 * @param {string} bare
 * @returns {readonly Figure[]}
 */
function measureCalls(transport, bare) {
  const { engine, plain } = runApart(CALLS, [transport]);
  const over = engine.map((/** @type {number} */ cost, /** @type {number} */ round) => cost - plain[round]);
  return [
    plainFigure({ name: `over ${bare}`, unit: "ms CPU", target: { atMost: 5 } }, medianOf(over)),
    ratioFigure({ name: "a call", unit: "ms CPU" }, engine, { name: `ms, ${bare}`, values: plain }),
  ];
}

/** @returns {readonly Figure[]} */
function measureArchive() {
  const { bytes, grown, cpuMs, copyMs } = runApart(ARCHIVE, []);
  if (bytes !== 200 * 2 ** 20) throw new Error(`${bytes} bytes were archived.`);
  return [
    plainFigure({ name: "memory", unit: "MB", target: { atMost: 64 } }, grown / 2 ** 20),
    ratioFigure({ name: "archived", unit: "ms CPU" }, [cpuMs], {
      name: "ms, copied in the same windows",
      values: [copyMs],
    }),
  ];
}

/** @type {Readonly<Record<SectionName<"custom-engine">, Section>>} */
const SECTIONS = {
  local: { title: "One call of a command", measure: () => measureCalls("local", "a bare spawn") },
  http: { title: "One call of a service", measure: () => measureCalls("http", "a bare request") },
  archive: { title: "200 MB of declared artifacts", measure: measureArchive },
};

/** Measures calls of custom engines, compared with the same calls without an engine. @param {BenchOptions} options */
export function benchCustomEngine(options) {
  return benchSections(SECTIONS, options);
}
