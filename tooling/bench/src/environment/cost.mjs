// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * Cost of some work.
 * @typedef {object} Cost
 * @property {number} own CPU of this process, in ms
 * @property {number} children CPU of its children that have ended, in ms; Linux counts it in steps of 10 ms
 * @property {number} wall ms
 * @property {number} grown MB that the memory of this process grew by at its peak
 * @property {number} delay longest delay of the event loop, in ms
 * @property {Record<string, number>} [seen] what the work found, for checks
 */

/** Interval at which the event loop is sampled, in milliseconds. */
const LOOK_MS = 10;
/** Unit of times in /proc on Linux, in milliseconds. */
const TICK_MS = 10;

/** @returns {number} */
function childrenMs() {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** @param {"VmHWM" | "VmRSS"} name @returns {number} MB */
function memoryOf(name) {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/**
 * Runs a function and returns its cost. Linux only.
 * @param {() => Promise<Record<string, number> | void>} work
 * @returns {Promise<Cost>}
 */
export async function costOf(work) {
  globalThis.gc?.();
  writeFileSync("/proc/self/clear_refs", "5");
  const before = memoryOf("VmRSS");
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  delay.enable();
  // The first call of the clock costs milliseconds.
  process.cpuUsage(process.cpuUsage());
  const [children, cpu, start] = [childrenMs(), process.cpuUsage(), performance.now()];
  const seen = await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  return {
    own: (user + system) / 1000,
    children: childrenMs() - children,
    wall,
    grown: Math.max(0, memoryOf("VmHWM") - before),
    // The time between two samples is measured.
    delay: Math.max(0, delay.max / 1e6 - LOOK_MS),
    ...(seen === undefined ? {} : { seen }),
  };
}

/** Returns the CPU time of the process and its children. @param {Cost} cost */
export function totalOf({ own, children }) {
  return own + children;
}
