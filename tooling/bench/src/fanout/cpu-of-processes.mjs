// @ts-check
import { readdirSync, readFileSync } from "node:fs";

/** Unit of CPU time on Linux, in microseconds. */
const TICK_US = 10_000;

/** @typedef {{ parent: number, ticks: number }} Seen */

/**
 * @param {string} pid
 * @returns {Seen | undefined}
 */
function look(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Its own time, and that of exited children.
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(words[place]), 0);
    return { parent: Number(words[1]), ticks };
  } catch {
    // It has exited.
    return undefined;
  }
}

/** Name of the thread with which V8 takes a profile. */
const PROFILER_THREAD = "v8:ProfEvntProc";

/**
 * CPU time of threads of this process, in microseconds. `NaN` if the system does not report it.
 * @typedef {{ mainUs: number, poolUs: number, profilerUs: number }} ThreadCosts
 */

/**
 * Returns the CPU time of the main thread of this process, of its thread pool, and of the profiler.
 * @param {readonly string[]} poolThreads ids of the threads of the pool
 * @returns {ThreadCosts}
 */
export function cpuOfThreads(poolThreads) {
  if (process.platform !== "linux") return { mainUs: Number.NaN, poolUs: Number.NaN, profilerUs: Number.NaN };
  const costs = { mainUs: 0, poolUs: 0, profilerUs: 0 };
  for (const id of readdirSync("/proc/self/task")) {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "latin1");
    const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const us = (Number(words[11]) + Number(words[12])) * TICK_US;
    if (id === String(process.pid)) costs.mainUs += us;
    else if (poolThreads.includes(id)) costs.poolUs += us;
    else if (stat.includes(`(${PROFILER_THREAD})`)) costs.profilerUs += us;
  }
  return costs;
}

/**
 * Returns the CPU time of processes and their children, in microseconds. `undefined` if the system does not report it.
 * @param {readonly number[]} pids
 * @returns {number | undefined}
 */
export function cpuOfProcesses(pids) {
  if (process.platform !== "linux") return undefined;
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const seen = look(pid);
    if (seen !== undefined && (pids.includes(Number(pid)) || pids.includes(seen.parent))) ticks += seen.ticks;
  }
  return ticks * TICK_US;
}
