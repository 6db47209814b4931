// @ts-check
import { spawnSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { printFigures } from "./print-figures.mjs";

/** @import { BenchOptions } from "../bench.mjs" */
/** @import { Figure } from "./figure.mjs" */

/**
 * A part of a benchmark.
 * @typedef {{ title: string, measure: () => Promise<readonly Figure[]> | readonly Figure[] }} Section
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

/** Returns the machine properties on which the figures depend. */
function machine() {
  return { node: process.versions.node, processors: cpus().length, load: Number((loadavg()[0] ?? 0).toFixed(2)) };
}

/**
 * Measures sections and prints their figures. Exits with 1 if a target is missed and `strict` is set, and with 2 for an
 * unknown section.
 * @param {Readonly<Record<string, Section>>} sections
 * @param {BenchOptions} options
 */
export async function benchSections(sections, { names, json, strict }) {
  const unknown = names.filter((name) => !(name in sections));
  if (unknown.length > 0) {
    console.error(`Unknown section "${unknown.join(", ")}". Use some of: ${Object.keys(sections).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const { node, processors, load } = machine();
  const results = [];
  if (!json) console.log(`Node ${node}, ${processors} processors, load ${load}. Compare ratios, not times.`);
  for (const [name, { title, measure }] of Object.entries(sections)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const figures = await measure();
    results.push({ section: name, title, figures });
    if (!json) console.log(`\n${title} (${name}), load ${machine().load}\n${printFigures(figures)}`);
  }
  const missed = results.flatMap(({ figures }) => figures.filter(({ met }) => met === false));
  if (json) console.log(JSON.stringify({ machine: { node, processors, load }, results }, undefined, 2));
  else console.log(`\n${missed.length === 0 ? "Every target is met." : `Targets missed: ${missed.length}.`}`);
  if (strict && missed.length > 0) process.exitCode = 1;
}
