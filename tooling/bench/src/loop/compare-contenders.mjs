// @ts-check
import { join } from "node:path";
import { runApart } from "../figure/bench-sections.mjs";

/** @import { Cost, Workload } from "./workload.mjs" */

/** Pairs of the contenders that a target is about. */
const PAIRS = 7;

const SCRIPT = join(import.meta.dirname, "contender-process.mjs");

/**
 * Has contenders do the same work, each time in a process of its own, and one after the other in each round, so that a
 * machine whose speed drifts is fair to all of them; every second round goes backwards. Gives the costs of all rounds.
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
 * Contenders that take part in every pair.
 * @param {readonly string[]} names
 * @returns {Record<string, number>}
 */
export function inEachPair(names) {
  return Object.fromEntries(names.map((name) => [name, PAIRS]));
}
