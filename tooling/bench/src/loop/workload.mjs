// @ts-check

/** @import { Plan } from "./contenders/plan.mjs" */

/** Concurrent conversations. @typedef {{ sessions: number, plan: Plan }} Workload */

/**
 * Cost of a workload.
 * @typedef {object} Cost
 * @property {number} cpuMs user and system
 * @property {number} wallMs
 * @property {number} grownBytes peak of the memory above the initial value
 * @property {number} peakBytes
 * @property {number} missing deltas that were not received; negative if more were received than sent
 * @property {boolean} isWhole whether the received text is the text of the model
 */

/** @type {Plan} */
const NOTHING = { rounds: 0, resultChars: 200, deltas: 1, latencyMs: 0, slow: false };

/** @param {Partial<Plan>} plan @param {number} [sessions] @returns {Workload} */
export function workloadOf(plan, sessions = 1) {
  return { sessions, plan: { ...NOTHING, ...plan } };
}
