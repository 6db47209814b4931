// @ts-check

/** @import { Plan } from "./contenders/plan.mjs" */

/** Concurrent conversations. @typedef {{ sessions: number, plan: Plan }} Workload */

/**
 * Cost of a workload.
 * @typedef {object} Cost
 * @property {number} cpuMs user and system
 * @property {number} wallMs
 * @property {number} grownBytes peak of the memory above what it was before
 * @property {number} peakBytes
 * @property {number} missing deltas that nobody saw; less than 0 where there were more than the model sent
 * @property {boolean} isWhole whether the text that was seen is the text of the model
 */

/** @type {Plan} */
const NOTHING = { rounds: 0, resultChars: 200, deltas: 1, latencyMs: 0, slow: false };

/** @param {Partial<Plan>} plan @param {number} [sessions] @returns {Workload} */
export function workloadOf(plan, sessions = 1) {
  return { sessions, plan: { ...NOTHING, ...plan } };
}
