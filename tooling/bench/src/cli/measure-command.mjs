// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/**
 * Cost of a command, its children included: seconds, and peak memory of its largest process in MB.
 * @typedef {{ wall: number, cpu: number, peak: number }} CommandCost
 */

/** Interval at which memory is sampled, in milliseconds. The kernel keeps the peak of each process. */
const LOOK_MS = 10;

/** @param {number} pid @returns {number[]} the process and all below it */
function treeOf(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return [pid, ...(children === "" ? [] : children.split(" ").flatMap((child) => treeOf(Number(child))))];
  } catch {
    return [];
  }
}

/** @param {number} pid @returns {number} MB */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Runs a command once and measures it from outside. Rejects if it fails or prints something unexpected.
 * @param {readonly string[]} argv
 * @param {{ env: Record<string, string>, cwd: string, expects: string }} options
 * @returns {Promise<CommandCost>}
 */
export async function measureCommand(argv, { env, cwd, expects }) {
  // The shell's time, because Node cannot read a child's CPU time.
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" 2>/dev/null </dev/null';
  const child = spawn("bash", ["-c", script, "bench", ...argv], { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  let [said, told, peak] = ["", "", 0];
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr.on("data", (chunk) => {
    told += chunk;
  });
  const looking = setInterval(() => {
    for (const pid of treeOf(child.pid ?? 0)) peak = Math.max(peak, peakOf(pid));
  }, LOOK_MS);
  const [status] = await once(child, "close");
  clearInterval(looking);
  if (status !== 0 || !said.includes(expects))
    throw new Error(`${argv.join(" ")} ended with ${status}: ${said.slice(-2_000)}`);
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = told.trim().split(" ").map(Number);
  return { wall, cpu: user + system, peak };
}
