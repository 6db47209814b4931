// @ts-check
import { kill, pid } from "node:process";

/** @import { Oracle } from "./oracle.mjs" */

/**
 * What is to happen at the boundary of a number: the process dies, or stops until it is told to go on.
 * @typedef {{ at: number, signal: "SIGKILL" | "SIGSTOP" }} Strike
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
  /** @type {() => void} */
  let prepare = () => {};
  /** @param {string} label */
  function pass(label) {
    // Nothing has reached the world since the boundary before: it is the same one.
    if (label.startsWith("before file") && labels.at(-1)?.startsWith("after file")) return;
    labels.push(label);
    if (labels.length !== strike?.at) return;
    oracle.note({ at: "struck", label, number: labels.length, signal: strike.signal });
    if (strike.signal === "SIGKILL") prepare();
    kill(pid, strike.signal);
    // A signal to oneself may come a moment later; no statement of the product runs until then.
    if (strike.signal === "SIGKILL") for (;;);
  }
  return {
    labels,
    pass,
    isNext: () => labels.length + 1 === strike?.at,
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
