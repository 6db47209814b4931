// @ts-check
// Runs one contender and one workload in a separate process: `contender-process.mjs <contender> <workload as JSON>`.
// Prints the cost as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { CONTENDERS } from "./contenders/contenders.mjs";
import { DELTA } from "./contenders/plan.mjs";

/** @import { Contender, Plan, Seen } from "./contenders/plan.mjs" */
/** @import { Cost, Workload } from "./workload.mjs" */

/** Warm-up for loading and compiling, which is not measured. @type {Plan} */
const WARM_UP = { rounds: 5, resultChars: 200, deltas: 20, latencyMs: 0, slow: false };

/** Time for the warm-up to finish, in milliseconds. */
const SETTLING_MS = 200;

/** Resets the peak memory of the process. */
function resetPeak() {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // On other systems the peak of the whole process is used.
  }
}

/** @returns {number} bytes */
function peakBytes() {
  try {
    const peak = /VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
    return Number(peak?.[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

/** @param {Plan} plan @param {Seen} seen */
function lossOf({ rounds, deltas }, seen) {
  if (seen.calls !== rounds) throw new Error(`${seen.calls} of ${rounds} calls were seen.`);
  const isWhole = seen.text === DELTA.repeat(deltas);
  return { missing: deltas - seen.deltas, isWhole };
}

/** @param {Contender} contender @param {Workload} workload @returns {Promise<Cost>} */
async function measure({ converse }, { sessions, plan }) {
  await converse(WARM_UP);
  // Loaded code is still being compiled on other threads, which must not count.
  await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
  globalThis.gc?.();
  resetPeak();
  // The clocks too: their first call costs more than a hundred rounds of the smallest loop.
  process.cpuUsage(process.cpuUsage());
  performance.now();
  const before = process.memoryUsage.rss();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const seen = await Promise.all(Array.from({ length: sessions }, () => converse(plan)));
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  const peak = peakBytes();
  const losses = seen.map((one) => lossOf(plan, one));
  return {
    cpuMs: (user + system) / 1000,
    wallMs,
    grownBytes: Math.max(0, peak - before),
    peakBytes: peak,
    missing: losses.reduce((sum, { missing }) => sum + missing, 0),
    isWhole: losses.every(({ isWhole }) => isWhole),
  };
}

const [name = "", workload = ""] = process.argv.slice(2);
const open = CONTENDERS[name];
if (open === undefined) throw new Error(`There is no contender ${name}.`);
const contender = await open();
console.log(JSON.stringify(await measure(contender, JSON.parse(workload))));
await contender.close?.();
process.exit();
