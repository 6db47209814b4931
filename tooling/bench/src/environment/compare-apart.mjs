// @ts-check
import { join } from "node:path";
import { runApart } from "../figure/bench-sections.mjs";

/** @import { Cost } from "./cost.mjs" */

const SCRIPT = join(import.meta.dirname, "contender-process.mjs");

/**
 * Runs contenders with the same work, each time in a separate process, one after another in each round; every second
 * round is reversed. Returns the costs of all rounds but the first, which warms the disk cache.
 * @param {{ kind: string, rounds: number, setting: unknown }} work
 * @param {readonly string[]} names
 * @returns {(name: string) => readonly Cost[]}
 */
export function compareApart({ kind, rounds, setting }, names) {
  /** @type {Map<string, Cost[]>} */
  const costs = new Map(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const cost = runApart(SCRIPT, [kind, name, JSON.stringify(setting)]);
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  return (name) => costs.get(name) ?? [];
}
