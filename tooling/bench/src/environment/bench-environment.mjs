// @ts-check
import { benchSections } from "../figure/bench-sections.mjs";
import { installPeers } from "../figure/install-peers.mjs";
import { measureCommands, measureMemory } from "./measure-commands.mjs";
import { measureEdits } from "./measure-edits.mjs";
import { measureGlob } from "./measure-glob.mjs";
import { measureGrep } from "./measure-grep.mjs";
import { measureOutput } from "./measure-output.mjs";
import { measureReads } from "./measure-reads.mjs";

/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Section } from "../figure/bench-sections.mjs" */
/** @import { SectionName } from "../section-names.mjs" */

/** @type {Readonly<Record<SectionName<"environment">, Section>>} */
const SECTIONS = {
  grep: { title: "Search of 100,000 files, and of one of 1 GiB, for 100 lines", measure: measureGrep },
  glob: { title: "20,000 of 100,000 files, the last changed first", measure: measureGlob },
  reads: { title: "200 lines at line 4,000,000 of a file of 500 MB", measure: measureReads },
  edits: { title: "One line of a file of 20 MB", measure: measureEdits },
  commands: { title: "Start of a command", measure: measureCommands },
  memory: { title: "Start of a command by a large process", measure: measureMemory },
  output: { title: "1 GiB of output", measure: measureOutput },
};

/**
 * Measures search, files and commands on this machine, compared with their yardsticks. Peers are installed first.
 * @param {BenchOptions} options
 */
export function benchEnvironment(options) {
  installPeers("environment-peers", "codex, execa and glob, about 410 MB,");
  return benchSections(SECTIONS, options);
}
