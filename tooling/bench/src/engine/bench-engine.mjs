// @ts-check
import { spawnSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { printFigures } from "../figure/print-figures.mjs";
import { SECTIONS } from "./sections.mjs";

/** @import { Figure } from "../figure/figure.mjs" */
/** @import { BenchOptions } from "../bench.mjs" */

/**
 * Measures one section where no other has filled the heap.
 * @param {string} name
 * @returns {readonly Figure[]}
 */
function measureApart(name) {
  const argv = ["--expose-gc", "--max-old-space-size=4096", join(import.meta.dirname, "section-process.mjs"), name];
  const { stdout, status } = spawnSync(process.execPath, argv, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`The section ${name} ended with ${status}.`);
  return JSON.parse(stdout);
}

/** What the figures depend on besides the code. */
function machine() {
  return { node: process.versions.node, processors: cpus().length, load: Number((loadavg()[0] ?? 0).toFixed(2)) };
}

/**
 * Bus, boards and stores beside their floors. Exit code 1 when a target is missed and `strict` asks for it.
 * @param {BenchOptions} options
 */
export function benchEngine({ names, json, strict }) {
  const unknown = names.filter((name) => !(name in SECTIONS));
  if (unknown.length > 0) {
    console.error(`Unknown section "${unknown.join(", ")}". Use some of: ${Object.keys(SECTIONS).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const { node, processors, load } = machine();
  const results = [];
  if (!json) console.log(`Node ${node}, ${processors} processors, load ${load}. Compare ratios, not times.`);
  for (const [name, { title }] of Object.entries(SECTIONS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const figures = measureApart(name);
    results.push({ section: name, title, figures });
    if (!json) console.log(`\n${title} (${name})\n${printFigures(figures)}`);
  }
  const missed = results.flatMap(({ figures }) => figures.filter(({ met }) => met === false));
  if (json) console.log(JSON.stringify({ machine: { node, processors, load }, results }, undefined, 2));
  else console.log(`\n${missed.length === 0 ? "Every target is met." : `Targets missed: ${missed.length}.`}`);
  if (strict && missed.length > 0) process.exitCode = 1;
}
