// @ts-check
// Serves runs of as many steps, each with events and a checkpoint: runs-process.mjs CONCURRENCY STEPS FOLDER
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { boardKey, SESSION_RESULT } from "@switchyard/contracts";
import { createCheckpoint, createEnvelope, defineEngine } from "@switchyard/engine";
import { startServer } from "@switchyard/server";

/** Duration of a step's simulated model call, in milliseconds. */
const STEP_MS = 5;
const [concurrency = 1, steps = 1] = process.argv.slice(2, 4).map(Number);
const folder = process.argv[4] ?? "";
/** @type {import("@switchyard/contracts").BoardKey<number>} */
const STEP = boardKey("step");

const engine = defineEngine(
  async (run, host, board) => {
    const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };
    for (let step = 1; step <= steps; step += 1) {
      await host.publish(createEnvelope("step_start", { step: `step ${step}` }, marks));
      await delay(STEP_MS);
      await host.publish(createEnvelope("step_complete", { step: `step ${step}` }, marks));
      board.set(STEP, step);
      await host.checkpoint(createCheckpoint(run, board, { step: `step ${step}`, iteration: step }));
    }
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
  },
  { name: "bench", supportsResume: true, emitsCheckpoint: true },
);
const server = await startServer({
  session: { engine, engineName: "bench" },
  stateDirectory: join(folder, "state"),
  openEnvironment: (root) => ({ type: "local", root, env: {}, spawnHelper: "never", ripgrep: false }),
  ...{ concurrency, maxQueuedPerOwner: 10_000, maxQueued: 10_000, maxConnections: 10_000 },
  streams: { maxPerOwner: 10_000 },
});
console.log(JSON.stringify({ url: server.url }));
await once(process.stdin, "data");
const cpuBefore = process.cpuUsage();
await once(process.stdin, "data");
const { user, system } = process.cpuUsage(cpuBefore);
const peakKb = Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
console.log(JSON.stringify({ cpuMs: (user + system) / 1_000, peakMb: peakKb / 1_024 }));
await server.drain();
