// @ts-check
import { join } from "node:path";
import { SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { createRemoteEngine, startServer, startWorker } from "@switchyard/server";
import { openNatsCluster } from "@switchyard/stores/nats";

/** @import { MemberOptions, RunContender } from "./run-contender.mjs" */

const ENGINE = "idle";
const LIMIT = 1_000_000;

const engine = defineEngine(
  async (_run, _host, board) => {
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
  },
  { name: ENGINE },
);

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
      engines: [{ session: { engine, engineName: ENGINE, workspaceDiff }, openEnvironment }],
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
