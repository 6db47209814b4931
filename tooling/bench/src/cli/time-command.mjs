// @ts-check
import { spawnSync } from "node:child_process";

/** Duration of one process, in seconds. @typedef {{ wall: number, cpu: number }} Timing */

/**
 * Runs a command once and measures it from outside with the shell's `time`, because Node cannot read a child's CPU
 * time.
 * @param {readonly string[]} argv
 * @returns {Timing}
 */
export function timeCommand(argv) {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1';
  const { stderr, status } = spawnSync("bash", ["-c", script, "bench", ...argv], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}.`);
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  return { wall, cpu: user + system };
}
