// @ts-check
import { kill, pid } from "node:process";

/** @import { Oracle } from "./oracle.mjs" */

/**
 * Action at a boundary: the process dies, or stops until it is continued. The boundary is identified by its number,
 * among all or among those with one label.
 * @typedef {{ at: number, label?: string, signal: "SIGKILL" | "SIGSTOP" }} Strike
 */

/**
 * Boundaries at which a process may be killed or stopped, in order.
 * @typedef {{ pass: (label: string) => void, around: <T>(label: string, work: () => Promise<T>) => Promise<T>,
 * isNext: () => boolean, beforeKill: (act: () => void) => void, labels: readonly string[] }} CrashPoints
 */

/**
 * Counts the boundaries of this process and signals it at the chosen one. The process sends the signal to itself before
 * the next statement, without involving the product.
 * @param {Oracle} oracle
 * @param {Strike | undefined} strike
 * @returns {CrashPoints}
 */
export function createCrashPoints(oracle, strike) {
  /** @type {string[]} */
  const labels = [];
  let counted = 0;
  /** @type {() => void} */
  let prepare = () => {};
  /** @param {string} label */
  function pass(label) {
    // Nothing was written since the previous boundary, so it is the same one.
    if (label.startsWith("before file") && labels.at(-1)?.startsWith("after file")) return;
    labels.push(label);
    if (strike === undefined || (strike.label !== undefined && strike.label !== label)) return;
    counted += 1;
    if (counted !== strike.at) return;
    oracle.note({ at: "struck", label, number: labels.length, signal: strike.signal });
    if (strike.signal === "SIGKILL") prepare();
    kill(pid, strike.signal);
    // A signal to oneself may arrive slightly later; no statement of the product may run until then.
    if (strike.signal === "SIGKILL") for (;;);
  }
  return {
    labels,
    pass,
    isNext: () => strike?.label === undefined && counted + 1 === strike?.at,
    beforeKill: (act) => {
      prepare = act;
    },
    around: async (label, work) => {
      pass(`before ${label}`);
      const value = await work();
      pass(`after ${label}`);
      return value;
    },
  };
}
