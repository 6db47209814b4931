// @ts-check
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inNewFolder } from "./bench-store.mjs";

/** Number of flushes and renames of a process. @typedef {{ flushes: number, renames: number }} Calls */

const NAMES = "fsync,fdatasync,rename,renameat,renameat2";

/** Returns whether system calls can be counted on this machine. */
export function canCountCalls() {
  return spawnSync("strace", ["-c", "-e", "trace=none", "true"], { stdio: "ignore" }).status === 0;
}

/**
 * Runs a script of this folder to completion under strace.
 * @param {string} script
 * @param {readonly string[]} options
 * @returns {Promise<Calls>}
 */
export function countCalls(script, options) {
  return inNewFolder(async (folder) => {
    const summary = join(folder, "calls");
    const argv = ["-f", "-c", "-e", `trace=${NAMES}`, "-o", summary, process.execPath];
    const { status } = spawnSync("strace", [...argv, join(import.meta.dirname, script), ...options], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`${script} ended with ${status}.`);
    const lines = readFileSync(summary, "utf8").split("\n");
    const sum = (/** @type {RegExp} */ name) =>
      lines
        .map((line) => line.trim().split(/\s+/))
        .filter((cells) => name.test(cells.at(-1) ?? ""))
        .reduce((total, cells) => total + Number(cells[3]), 0);
    return { flushes: sum(/^f(data)?sync$/), renames: sum(/^rename/) };
  });
}

/**
 * Returns the calls per step, without those for start and end.
 * @param {(steps: number) => Promise<Calls>} count
 * @param {{ few: number, many: number }} steps
 * @returns {Promise<Calls>}
 */
export async function callsPerStep(count, { few, many }) {
  const [less, more] = [await count(few), await count(many)];
  return {
    flushes: (more.flushes - less.flushes) / (many - few),
    renames: (more.renames - less.renames) / (many - few),
  };
}
