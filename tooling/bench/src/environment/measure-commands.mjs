// @ts-check
import { join } from "node:path";
import { runApart } from "../figure/bench-sections.mjs";
import { plainFigure, ratioFigure } from "../figure/figure.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const SCRIPT = join(import.meta.dirname, "commands-process.mjs");
const LIVE_MEGABYTES = 1024;

/**
 * Measures the CPU time of a command, compared with `spawn` with pipes and execa, and whether a shell reads
 * `~/.bashrc`.
 * @returns {readonly Figure[]}
 */
export function measureCommands() {
  const { start, shell } = runApart(SCRIPT, ["0"]);
  const beside = (
    /** @type {string} */ name,
    /** @type {string} */ ours,
    /** @type {{ of: string, atMost?: number }} */ { of, atMost },
  ) =>
    ratioFigure({ name, unit: "ms CPU", ...(atMost === undefined ? {} : { target: { atMost } }) }, start[ours], {
      name: `ms, ${of}`,
      values: start[of],
    });
  return [
    beside("exec", "ours", { of: "pipes", atMost: 1.1 }),
    // For comparison: the share of a bare spawn in execa depends on the machine.
    beside("exec", "ours", { of: "execa" }),
    beside("spawn", "pipes", { of: "execa" }),
    beside("exec with a listener", "listened", { of: "pipes" }),
    plainFigure(
      { name: "lines of ~/.bashrc in the output", unit: "lines", target: { exactly: 0 } },
      shell === "line\n" ? 0 : shell.split("\n").length - 2,
    ),
  ];
}

/**
 * The same with 1 GB of live memory: Linux copies page tables for every process that this one starts directly.
 * @returns {readonly Figure[]}
 */
export function measureMemory() {
  const { start, large } = runApart(SCRIPT, [String(LIVE_MEGABYTES)]);
  const grown = (/** @type {string} */ name, /** @type {string} */ key, /** @type {number | undefined} */ atMost) =>
    ratioFigure({ name, unit: "ms CPU", ...(atMost === undefined ? {} : { target: { atMost } }) }, large[key], {
      name: "ms, at the start",
      values: start[key],
    });
  return [
    grown("exec, 1 GB live", "ours", 1.3),
    grown("exec without a helper", "direct", undefined),
    grown("spawn with pipes", "pipes", undefined),
    grown("execa", "execa", undefined),
  ];
}
