// @ts-check
import { kill, pid } from "node:process";

/** @import { Oracle } from "./oracle.mjs" */

/**
 * What is to happen at a boundary: the process dies, or stops until it is told to go on. The boundary is the one of a
 * number, counted among all, or among those of one label.
 * @typedef {{ at: number, label?: string, signal: "SIGKILL" | "SIGSTOP" }} Strike
 */

/**
 * Boundaries at which a process may be struck, in the order in which it comes to them.
 * @typedef {{ pass: (label: string) => void, around: <T>(label: string, work: () => Promise<T>) => Promise<T>,
 *   isNext: () => boolean, beforeKill: (act: () => void) => void, labels: readonly string[] }} CrashPoints
 */

/**
 * Counts the boundaries of this process and strikes it at the chosen one. The signal is this process's own, sent
 * before the next statement runs; nothing of the product is asked to take part.
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
    // Nothing has reached the world since the boundary before: it is the same one.
    if (label.startsWith("before file") && labels.at(-1)?.startsWith("after file")) return;
    labels.push(label);
    if (strike === undefined || (strike.label !== undefined && strike.label !== label)) return;
    counted += 1;
    if (counted !== strike.at) return;
    oracle.note({ at: "struck", label, number: labels.length, signal: strike.signal });
    if (strike.signal === "SIGKILL") prepare();
    kill(pid, strike.signal);
    // A signal to oneself may come a moment later; no statement of the product runs until then.
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
