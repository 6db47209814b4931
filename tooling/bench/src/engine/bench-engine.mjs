// @ts-check
import { join } from "node:path";
import { benchSections, runApart } from "../figure/bench-sections.mjs";
import { SECTIONS } from "./sections.mjs";

/** @import { BenchOptions } from "../bench.mjs" */

/**
 * Measures bus, boards and stores, compared with their lower bounds. Each section runs in a separate process.
 * @param {BenchOptions} options
 */
export function benchEngine(options) {
  const script = join(import.meta.dirname, "section-process.mjs");
  const apart = Object.entries(SECTIONS).map(([name, { title }]) => [
    name,
    { title, measure: () => runApart(script, [name]) },
  ]);
  return benchSections(Object.fromEntries(apart), options);
}
