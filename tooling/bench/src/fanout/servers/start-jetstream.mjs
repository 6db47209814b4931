// @ts-check
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";

/** @import { QueueServer } from "./start-process.mjs" */

/**
 * Why there can be none; nothing when there can.
 * @param {"process" | "power"} outlives
 */
export function jetstreamProblem(outlives) {
  return natsServerProblem({ isSynced: outlives === "power" });
}

/**
 * A broker that flushes each message before it acknowledges it, or at intervals.
 * @param {"process" | "power"} outlives
 * @returns {Promise<QueueServer>}
 */
export async function startJetstream(outlives) {
  const isSynced = outlives === "power";
  const server = await startNatsServer({ isSynced });
  return {
    address: server.url,
    durability: `JetStream: sync_interval ${isSynced ? "always" : "2m, its own"}`,
    pids: () => [server.pid()],
    stop: () => server.stop(),
  };
}
