// @ts-check
import { spawnSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { printFigures } from "./print-figures.mjs";

/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Figure } from "./figure.mjs" */

/**
 * A part of a benchmark.
 * @typedef {object} Section
 * @property {string} title
 * @property {string | undefined} [explains] name of the figure of which this section profiles the difference to the
 * yardstick. `undefined` if this section is not a profile.
 * @property {() => Promise<readonly Figure[]> | readonly Figure[]} measure
 */

/**
 * Runs a script in a process with a clean heap, and returns its output as JSON.
 * @param {string} script
 * @param {readonly string[]} options
 */
export function runApart(script, options) {
  const argv = ["--expose-gc", "--max-old-space-size=4096", script, ...options];
  const { stdout, status } = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`${script} ${options.join(" ")} ended with ${status}.`);
  return JSON.parse(stdout);
}

/**
 * Figures of one section.
 * @typedef {object} MeasuredSection
 * @property {string} section
 * @property {string} title
 * @property {string | undefined} [explains] name of the figure that this section explains, see `Section`
 * @property {number} load average of the machine when the section ended
 * @property {readonly Figure[]} figures
 */

/** Returns the load average of the last minute. */
function currentLoad() {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}

/**
 * Measures sections, prints their figures, and returns them. Returns `undefined` and sets the exit code 2 for an unknown
 * section.
 * @param {Readonly<Record<string, Section>>} sections
 * @param {BenchOptions} options
 * @returns {Promise<readonly MeasuredSection[] | undefined>}
 */
export async function benchSections(sections, { names }) {
  const unknown = names.filter((name) => !(name in sections));
  if (unknown.length > 0) {
    console.error(`Unknown section "${unknown.join(", ")}". Use some of: ${Object.keys(sections).join(", ")}.`);
    process.exitCode = 2;
    return undefined;
  }
  const results = [];
  console.log(`Node ${process.versions.node}, ${cpus().length} processors. Compare ratios, not times.`);
  for (const [section, { title, explains, measure }] of Object.entries(sections)) {
    if (names.length > 0 && !names.includes(section)) continue;
    const figures = await measure();
    const load = currentLoad();
    results.push({ section, title, ...(explains === undefined ? {} : { explains }), load, figures });
    console.log(`\n${title} (${section}), load ${load}\n${printFigures(figures)}`);
  }
  return results;
}
