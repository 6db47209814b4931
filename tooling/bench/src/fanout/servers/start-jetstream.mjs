// @ts-check
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";

/** @import { QueueServer } from "./start-process.mjs" */

/** Returns why the server is not available here. `undefined` if it is. @param {"process" | "power"} outlives */
export function jetstreamProblem(outlives) {
  return natsServerProblem({ isSynced: outlives === "power" });
}

/**
 * Starts a broker that flushes each message before acknowledging it, or at intervals.
 * @param {"process" | "power"} outlives
 * @returns {Promise<QueueServer>}
 */
export async function startJetstream(outlives) {
  const isSynced = outlives === "power";
  const server = await startNatsServer({ isSynced });
  return {
    address: server.url,
    monitorUrl: isSynced ? server.monitorUrl : undefined,
    durability: `JetStream: sync_interval ${isSynced ? "always" : "2m, its own"}`,
    pids: () => [server.pid()],
    stop: () => server.stop(),
  };
}
