// @ts-check
// `pnpm bench <area>`: measures one area, or `all`, and prints figure, yardstick and ratio, all from the same run.
import { parseArgs } from "node:util";
import { benchCli } from "./cli/bench-cli.mjs";
import { benchCustomEngine } from "./custom-engine/bench-custom-engine.mjs";
import { benchEngine } from "./engine/bench-engine.mjs";
import { benchEnvironment } from "./environment/bench-environment.mjs";
import { benchFanout } from "./fanout/bench-fanout.mjs";
import { benchGateway } from "./gateway/bench-gateway.mjs";
import { benchLoop } from "./loop/bench-loop.mjs";
import { readAttributions } from "./report/attributions.mjs";
import { missesOf } from "./report/misses.mjs";
import { storeResults } from "./report/results.mjs";
import { benchServer } from "./server/bench-server.mjs";

/** @import { AreaName } from "./section-names.mjs" */
/** @import { MeasuredSection } from "./figure/bench-sections.mjs" */

/**
 * Options of an area.
 * @typedef {object} BenchOptions
 * @property {readonly string[]} names of the sections to measure; without names, all
 * @property {number} [churnMinutes] minimum time in which `server live` replaces runs. Default: 0, so each run is replaced once
 */

/** Measures some sections of an area. @typedef {(options: BenchOptions) => Promise<readonly MeasuredSection[] | undefined>} Area */

/** @type {Readonly<Record<AreaName, Area>>} */
const AREA_FUNCTIONS = {
  cli: benchCli,
  "custom-engine": benchCustomEngine,
  engine: benchEngine,
  environment: benchEnvironment,
  fanout: benchFanout,
  gateway: benchGateway,
  loop: benchLoop,
  server: benchServer,
};

/** @type {Readonly<Record<string, Area>>} */
const AREAS = AREA_FUNCTIONS;

/** @param {readonly string[]} areas @param {BenchOptions & { json: string | undefined }} options */
async function measure(areas, { json, ...options }) {
  const measured = [];
  for (const area of areas) {
    if (areas.length > 1) console.log(`\n== ${area}`);
    const sections = await AREAS[area]?.(options);
    if (sections === undefined) return undefined;
    measured.push(...sections.map((section) => ({ area, ...section })));
    // Stored after each area, so that a run that is stopped early is not lost.
    if (json !== undefined) storeResults(json, area, sections);
  }
  return measured;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "string" },
    minutes: { type: "string", default: "0" },
    strict: { type: "boolean", default: false },
  },
});
const [area = "", ...names] = positionals;
if (area !== "all" && !(area in AREAS)) {
  console.error(`Unknown benchmark "${area}". Use one of: ${["all", ...Object.keys(AREAS)].join(", ")}.`);
  process.exitCode = 2;
} else if (!(Number(values.minutes) >= 0)) {
  console.error(`The option --minutes must be a number of at least 0: "${values.minutes}".`);
  process.exitCode = 2;
} else {
  const options = { names, json: values.json, churnMinutes: Number(values.minutes) };
  const measured = await measure(area === "all" ? Object.keys(AREAS) : [area], options);
  if (measured !== undefined) {
    const { missed, unattributed } = missesOf(measured, readAttributions());
    console.log(
      `\n${missed.length === 0 ? "Every target is met." : `Targets missed by the median: ${missed.length}.`}`,
    );
    for (const { name } of unattributed) console.log(`Missed without attribution: ${name}`);
    if (values.strict && unattributed.length > 0) process.exitCode = 1;
  }
}
