// @ts-check

/** Cost of one operation, in microseconds. @typedef {{ wall: number, cpu: number }} Cost */

/**
 * Something to measure.
 * @typedef {object} Contender
 * @property {number} count how many operations one turn has
 * @property {() => void} [prepare] called before each turn and not measured
 * @property {(count: number) => void | Promise<void>} run does that many operations
 */

/**
 * @param {Contender} contender
 * @returns {Promise<Cost>}
 */
async function costOf({ count, prepare, run }) {
  prepare?.();
  // Young garbage of the previous contender must not count here. A full collection would discard optimised code.
  globalThis.gc?.({ type: "minor" });
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await run(count);
  const wall = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall: wall / count, cpu: (user + system) / count };
}

/** Number of uncounted first rounds, in which code is compiled. */
export const WARM_UPS = 3;

/**
 * Measures contenders alternately, so that drifting machine speed affects all equally. Every second round is reversed;
 * the first ones are not counted. Returns the costs of all rounds by name.
 * @param {Readonly<Record<string, Contender>>} contenders
 * @param {number} rounds
 * @returns {Promise<(name: string) => readonly Cost[]>}
 */
export async function takeTurns(contenders, rounds) {
  /** @type {Map<string, Cost[]>} */
  const costs = new Map();
  const turns = Object.entries(contenders);
  for (let round = 0; round < rounds + WARM_UPS; round += 1) {
    for (const [name, contender] of round % 2 === 0 ? turns : turns.toReversed()) {
      const cost = await costOf(contender);
      if (round >= WARM_UPS) costs.set(name, [...(costs.get(name) ?? []), cost]);
    }
  }
  return (name) => {
    const known = costs.get(name);
    if (known === undefined) throw new Error(`There is no contender ${name}.`);
    return known;
  };
}

/**
 * Returns the CPU time of each round.
 * @param {readonly Cost[]} costs
 * @returns {readonly number[]}
 */
export function cpuOf(costs) {
  return costs.map(({ cpu }) => cpu);
}
