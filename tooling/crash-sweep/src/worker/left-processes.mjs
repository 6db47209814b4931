// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { kill } from "node:process";
import { LEDGER_VARIABLE } from "../scenario/scripted-call.mjs";

/**
 * The commands of a run that are alive: those that have its ledger in their environment. None where the system does not
 * tell.
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
 * Ends what a run left.
 * @param {string} ledger
 * @returns {void}
 */
export function endLeftProcesses(ledger) {
  for (const { pid } of leftProcesses(ledger)) {
    try {
      kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
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
