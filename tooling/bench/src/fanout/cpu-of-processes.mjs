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

/**
 * Returns the CPU time of the main thread of this process, in microseconds. `NaN` if the system does not report it.
 * @returns {number}
 */
export function cpuOfMainThread() {
  if (process.platform !== "linux") return Number.NaN;
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, "latin1");
  const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(words[11]) + Number(words[12])) * TICK_US;
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
