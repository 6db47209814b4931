// @ts-check
import { join } from "node:path";
import { runApart } from "../figure/bench-sections.mjs";

/** @import { Cost, Workload } from "./workload.mjs" */

/** Number of pairs of contenders with a target. */
const PAIRS = 5;

const SCRIPT = join(import.meta.dirname, "contender-process.mjs");

/**
 * Runs contenders with the same work, each time in a separate process, one after another in each round, so that
 * drifting machine speed affects all equally. Every second round is reversed. Returns the costs of all rounds.
 * @param {Workload} workload
 * @param {Readonly<Record<string, number>>} contenders how often each takes part
 * @returns {(name: string) => readonly Cost[]}
 */
export function compareContenders(workload, contenders) {
  /** @type {Map<string, Cost[]>} */
  const costs = new Map(Object.keys(contenders).map((name) => [name, []]));
  const turns = Object.entries(contenders);
  for (let round = 0; round < PAIRS; round += 1) {
    for (const [name, times] of round % 2 === 0 ? turns : turns.toReversed()) {
      if (round < times) costs.get(name)?.push(runApart(SCRIPT, [name, JSON.stringify(workload)]));
    }
  }
  return (name) => costs.get(name) ?? [];
}

/**
 * Returns contenders that take part in every pair.
 * @param {readonly string[]} names
 * @returns {Record<string, number>}
 */
export function inEachPair(names) {
  return Object.fromEntries(names.map((name) => [name, PAIRS]));
}
