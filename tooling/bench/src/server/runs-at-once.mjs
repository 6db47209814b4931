// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "./start-process.mjs";

/** Steps of a run. Each has events, a checkpoint, and a model call of 5 ms. */
const STEPS = 20;

/**
 * Cost of concurrent runs for the server.
 * @typedef {object} RunsAtOnce
 * @property {number} cpuMs for each run
 * @property {number} wallMs until the last was over
 * @property {number} peakMb
 * @property {number} unfinished runs that did not end as they should
 */

/**
 * Runs this many runs on a server concurrently, each with a client that watches it to its end.
 * @param {number} runs
 * @returns {Promise<RunsAtOnce>}
 */
export async function runAtOnce(runs) {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-runs-"));
  const server = startProcess("runs-process.mjs", [runs, STEPS, folder]);
  try {
    const { url } = await server.next();
    server.write("go");
    const startMs = performance.now();
    const statuses = await Promise.all(Array.from({ length: runs }, () => runOnce(url)));
    const wallMs = performance.now() - startMs;
    server.write("stop");
    const { cpuMs, peakMb } = await server.next();
    const unfinished = statuses.filter((status) => status !== "completed").length;
    return { cpuMs: cpuMs / runs, wallMs, peakMb, unfinished };
  } finally {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} url @returns {Promise<string>} outcome, as its watchers receive it */
async function runOnce(url) {
  const body = JSON.stringify({ input: { messages: [{ role: "user", content: "Go." }] } });
  const headers = { "content-type": "application/json" };
  const created = await fetch(`${url}/v1/runs`, { method: "POST", body, headers });
  const { run_id: runId } = JSON.parse(await created.text());
  const events = await (await fetch(`${url}/v1/runs/${runId}/events`)).text();
  return /"status":"(\w+)"\}\s*$/.exec(events)?.[1] ?? "cut off";
}
