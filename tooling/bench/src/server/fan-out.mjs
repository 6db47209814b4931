// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "./start-process.mjs";

/**
 * Load of a measurement.
 * @typedef {object} Load
 * @property {string} contender
 * @property {number} clients
 * @property {number} perSecond delivered events a second, all clients together
 * @property {number} seconds
 * @property {number} [characters] of each event
 * @property {number} [stalled] clients beside these that read nothing
 */

/**
 * Result of a measurement.
 * @typedef {object} FanOut
 * @property {number} cpuUs of the server for each delivered event, user and system
 * @property {number} p99Ms
 * @property {number} expected
 * @property {number} delivered
 * @property {number} waitingBytes most that waited in the server for one client
 */

/**
 * Serves events in one process and reads them in another.
 * @param {Load} load
 * @returns {Promise<FanOut>}
 */
export async function fanOut({ contender, clients, perSecond, seconds, characters = 20, stalled = 0 }) {
  const perTick = Math.max(1, Math.round(perSecond / clients / 50));
  const tickMs = (1000 * perTick * clients) / perSecond;
  const ticks = Math.round((seconds * 1000) / tickMs);
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-server-"));
  const server = startProcess("serve-process.mjs", [contender, perTick, tickMs, ticks, characters, folder]);
  try {
    const { port, path } = await server.next();
    const watchers = startProcess("watch-process.mjs", [port, path, clients, stalled]);
    try {
      await watchers.next();
      server.write("go");
      const served = await server.next();
      const watched = await watchers.next();
      const expected = perTick * ticks * clients;
      return {
        ...{ cpuUs: served.cpuUs / expected, waitingBytes: served.waitingBytes, expected },
        ...{ p99Ms: watched.p99Ms, delivered: watched.delivered },
      };
    } finally {
      await watchers.end();
    }
  } finally {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}
