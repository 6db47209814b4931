// @ts-check
import { benchSections } from "../figure/bench-sections.mjs";
import { installPeers } from "../figure/install-peers.mjs";
import { measureStart } from "./measure-start.mjs";
import { measureTurns } from "./measure-turns.mjs";

/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */

/** @type {Readonly<Record<SectionName<"cli">, Section>>} */
const SECTIONS = {
  start: { title: "Start of the command", measure: measureStart },
  turns: { title: "A turn without a terminal, from start to end, its model on loopback", measure: measureTurns },
};

/**
 * Measures the built command as a whole, compared with an empty process and with other agents' commands, which are
 * installed first.
 * @param {BenchOptions} options
 */
export function benchCli(options) {
  installPeers("cli-peers", "codex and pi, about 600 MB,");
  return benchSections(SECTIONS, options);
}
