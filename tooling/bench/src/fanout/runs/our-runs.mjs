// @ts-check
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { boardKey, SESSION_RESULT } from "@switchyard/contracts";
import { createCheckpoint, createEnvelope, defineEngine } from "@switchyard/engine";
import { createRemoteEngine, startServer, startWorker } from "@switchyard/server";
import { openNatsCluster } from "@switchyard/stores/nats";

/** @import { MemberOptions, RunContender } from "./run-contender.mjs" */

const ENGINE = "idle";
const LIMIT = 1_000_000;

/** Number of events of one round of the agent with one tool call. */
const EVENTS_PER_ROUND = 8;
/** Number of checkpoints of one round of the agent. */
const CHECKPOINTS_PER_ROUND = 2;
/** Size of the text that each checkpoint adds, in characters. */
const TEXT_PER_CHECKPOINT = 2_000;
/** @type {import("@switchyard/contracts").BoardKey<readonly string[]>} */
const TEXTS = boardKey("texts");

/**
 * Creates an engine that does nothing except to publish events and to save checkpoints.
 * @param {Pick<MemberOptions, "rounds" | "holdMs">} options
 */
function createIdleEngine({ rounds = 0, holdMs = 0 }) {
  return defineEngine(
    async (run, host, board) => {
      const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => randomUUID() };
      /** @type {string[]} */
      const texts = [];
      for (let round = 1; round <= rounds; round += 1) {
        for (let event = 0; event < EVENTS_PER_ROUND; event += 1)
          await host.publish(createEnvelope("step_start", { step: `event ${event}` }, marks));
        for (let saved = 1; saved <= CHECKPOINTS_PER_ROUND; saved += 1) {
          texts.push("x".repeat(TEXT_PER_CHECKPOINT));
          board.set(TEXTS, [...texts]);
          const iteration = (round - 1) * CHECKPOINTS_PER_ROUND + saved;
          await host.checkpoint(createCheckpoint(run, board, { step: `step ${iteration}`, iteration }));
        }
      }
      if (holdMs > 0) await delay(holdMs);
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
    },
    { name: ENGINE, supportsResume: true, emitsCheckpoint: true },
  );
}

/** @param {string} root */
function openEnvironment(root) {
  return /** @type {const} */ ({ type: "local", root, env: {}, spawnHelper: "never", ripgrep: false });
}

/** @param {MemberOptions} options */
async function connect({ address, monitorUrl, folder }) {
  const durability = monitorUrl === undefined ? /** @type {const} */ ("process") : { power: [monitorUrl] };
  return await openNatsCluster({ servers: address, name: "bench", filesDirectory: join(folder, "runs"), durability });
}

/**
 * Creates the contender. `workspaceDiff`: whether reports contain the changes of the workspace.
 * @param {{ workspaceDiff: boolean }} options
 * @returns {RunContender}
 */
export const ourRuns = ({ workspaceDiff }) => ({
  openServer: async (options) => {
    const cluster = await connect(options);
    const server = await startServer({
      cluster,
      session: { engine: createRemoteEngine(ENGINE), engineName: ENGINE },
      stateDirectory: join(options.folder, "state"),
      openEnvironment,
      ...{ maxQueued: LIMIT, maxQueuedPerOwner: LIMIT, maxRunsPerOwner: LIMIT },
    });
    return { url: `${server.url}/v1/runs`, close: () => server.drain() };
  },
  openWorker: async (options, onDone) => {
    const cluster = await connect(options);
    const worker = startWorker({
      cluster,
      engines: [{ session: { engine: createIdleEngine(options), engineName: ENGINE, workspaceDiff }, openEnvironment }],
      environments: ["local"],
      stateDirectory: join(options.folder, "state"),
      concurrency: options.concurrency,
      version: "0.0.0",
      onRun: ({ status }) => {
        if (status !== "running") onDone();
      },
      onError: (error) => console.error(error),
    });
    return {
      close: async () => {
        await worker.drain();
        await cluster[Symbol.asyncDispose]();
      },
    };
  },
});
