// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { kill } from "node:process";
import { LEDGER_VARIABLE } from "../scenario/scripted-call.mjs";

/**
 * Returns the living commands of a run: those with its ledger in their variables. Empty if the system does not report
 * them.
 * @param {string} ledger
 * @returns {{ pid: number, command: string }[]}
 */
export function leftProcesses(ledger) {
  const mark = `${LEDGER_VARIABLE}=${ledger}\0`;
  return namesIn("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || !textOf(`/proc/${name}/environ`).includes(mark)) return [];
    return [{ pid: Number(name), command: textOf(`/proc/${name}/cmdline`).split("\0").join(" ").trim() }];
  });
}

/**
 * Ends remaining commands of a run.
 * @param {string} ledger
 * @returns {void}
 */
export function endLeftProcesses(ledger) {
  for (const { pid } of leftProcesses(ledger)) {
    try {
      kill(pid, "SIGKILL");
    } catch {
      // Already exited.
    }
  }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * @param {string} path
 * @returns {string}
 */
function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
