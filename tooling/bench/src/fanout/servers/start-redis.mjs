// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess, findProgram, freePort, startProcess } from "./start-process.mjs";

/** @import { QueueServer } from "./start-process.mjs" */

/** Returns why the server is not available here. `undefined` if it is. */
export function redisProblem() {
  return findProgram("redis-server") === undefined ? "install the Debian package redis-server" : undefined;
}

/**
 * Starts a Redis that persists data with each write, or within a second.
 * @param {"process" | "power"} outlives
 * @returns {Promise<QueueServer>}
 */
export async function startRedis(outlives) {
  const folder = await mkdtemp(join(tmpdir(), "bench-redis-"));
  const port = await freePort();
  const sync = outlives === "power" ? "always" : "everysec";
  const program = findProgram("redis-server") ?? "redis-server";
  const keeping = ["--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync", sync];
  const listening = ["--bind", "127.0.0.1", "--port", String(port), "--maxmemory-policy", "noeviction"];
  const child = await startProcess([program, ...listening, ...keeping], { port });
  return {
    address: `redis://127.0.0.1:${port}`,
    durability: `Redis: appendonly yes, appendfsync ${sync}`,
    pids: () => [child.pid ?? 0],
    stop: async () => {
      await endProcess(child, "SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
