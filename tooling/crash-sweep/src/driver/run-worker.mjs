// @ts-check
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleFromSource } from "@switchyard/suite/load-from-source";
import { appendMoment, sharedTimeMs } from "../worker/oracle.mjs";

/** @import { ChildProcess } from "node:child_process" */
/** @import { Attempt } from "../worker/attempt.mjs" */

/**
 * End of a process. `how` is its exit code or the signal that killed it.
 * @typedef {{ pid: number, how: string, startedMs: number, stderr: string }} WorkerEnd
 */

/**
 * A running worker process.
 * @typedef {{ pid: number, ended: Promise<WorkerEnd>, signal: (name: "SIGCONT" | "SIGKILL") => void }} Worker
 */

/** Time limit of an attempt, in milliseconds. A longer one is killed and fails its case. */
const PATIENCE_MS = 60_000;
/** Path of the bundled program of the workers: hundreds of processes load it. @type {Promise<string> | undefined} */
let program;
let started = 0;

/** @returns {Promise<string>} */
function bundleWorker() {
  program ??= bundleFromSource(new URL("../worker/worker.mjs", import.meta.url), new URL("../..", import.meta.url));
  return program;
}

/**
 * Starts one attempt in a separate process. `prefix` is a wrapping command, such as strace.
 * @param {Attempt} attempt
 * @param {{ root: string, prefix?: readonly string[] }} options
 * @returns {Promise<Worker>}
 */
export async function startWorker(attempt, { root, prefix = [] }) {
  const worker = await bundleWorker();
  started += 1;
  const file = join(root, `attempt-${started}.json`);
  writeFileSync(file, JSON.stringify(attempt));
  const startedMs = sharedTimeMs();
  const [command = process.execPath, ...args] = [...prefix, process.execPath, worker, file];
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  return { pid: child.pid ?? 0, ended: endOf(child, attempt.oracle, startedMs), signal: (name) => child.kill(name) };
}

/**
 * Runs one attempt to completion.
 * @param {Attempt} attempt
 * @param {{ root: string, prefix?: readonly string[] }} options
 * @returns {Promise<WorkerEnd>}
 */
export async function runWorker(attempt, options) {
  return (await startWorker(attempt, options)).ended;
}

/**
 * @param {ChildProcess} child
 * @param {string} oracle
 * @param {number} startedMs
 * @returns {Promise<WorkerEnd>}
 */
function endOf(child, oracle, startedMs) {
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr = `${stderr}${text}`.slice(-4_000);
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // Not `close`: a command that outlives its worker holds the output open.
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      child.stderr?.destroy();
      const how = signal ?? `exit ${code}`;
      const pid = child.pid ?? 0;
      appendMoment(oracle, pid, { at: "ended", how });
      resolve({ pid, how, startedMs, stderr });
    });
  });
}
