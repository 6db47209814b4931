// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { connect, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** @import { ChildProcess, SpawnOptions } from "node:child_process" */

/**
 * A server started for the measurement, on loopback.
 * @typedef {object} QueueServer
 * @property {string} address for clients
 * @property {string | undefined} [monitorUrl] address at which a NATS server that flushes each message reports its settings
 * @property {string} durability failures that an acknowledged write survives, and the settings for it
 * @property {() => readonly number[]} pids its processes
 * @property {() => Promise<void>} stop ends it and removes its data
 */

const READY_MS = 30_000;
const LOOK_MS = 20;

/**
 * Returns the path of a program. `undefined` if it is not installed.
 * @param {string} name
 * @param {readonly string[]} [more] further folders
 * @returns {string | undefined}
 */
export function findProgram(name, more = []) {
  const folders = [...(env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", ...more];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * @param {string} path
 * @returns {boolean}
 */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
async function accepts(port) {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Starts a server and waits until it accepts connections.
 * @param {readonly string[]} argv
 * @param {{ port: number, options?: SpawnOptions }} listening
 * @returns {Promise<ChildProcess>}
 */
export async function startProcess([program = "", ...argv], { port, options = {} }) {
  const child = spawn(program, argv, { ...options, stdio: "ignore" });
  const until = performance.now() + READY_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`${program} did not start`);
    await delay(LOOK_MS);
  }
  return child;
}

/**
 * Ends a server.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function endProcess(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
