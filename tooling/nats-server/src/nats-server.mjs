// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** @import { ChildProcess } from "node:child_process" */

/**
 * A broker of the test's own, in a folder of its own.
 * @typedef {object} NatsServer
 * @property {string} url Address for clients.
 * @property {string} monitorUrl Address of its monitoring pages.
 * @property {() => Promise<void>} kill Kills it with SIGKILL.
 * @property {() => Promise<void>} start Starts it again with what it kept.
 * @property {() => Promise<void>} stop Ends it and removes its folder.
 */

const READY_MS = 10_000;
const LOOK_MS = 20;

/**
 * Path of the program; Debian puts it where only administrators look.
 * @returns {string | undefined}
 */
function findProgram() {
  const folders = [...(env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, "nats-server")).find(isExecutable);
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

/**
 * Why no broker can be started here; nothing when one can.
 * @returns {string | undefined}
 */
export function natsServerProblem() {
  return findProgram() === undefined ? "there is no nats-server here: install the package nats-server" : undefined;
}

/** @returns {Promise<number>} */
async function freePort() {
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
async function answers(port) {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "data");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Starts a broker with JetStream on a free port of this machine.
 * @param {readonly string[]} [more] Further arguments.
 * @returns {Promise<NatsServer>}
 */
export async function startNatsServer(more = []) {
  const program = findProgram();
  if (program === undefined) throw new Error(natsServerProblem());
  const folder = await mkdtemp(join(tmpdir(), "nats-server-"));
  const [port, monitorPort] = [await freePort(), await freePort()];
  const ports = ["--port", String(port), "--http_port", String(monitorPort)];
  const argv = ["--addr", "127.0.0.1", ...ports, "--jetstream", "--store_dir", folder, ...more];
  /** @type {ChildProcess | undefined} */
  let child;

  async function start() {
    const started = spawn(program ?? "", argv, { stdio: "ignore" });
    child = started;
    const until = performance.now() + READY_MS;
    while (!(await answers(port))) {
      if (started.exitCode !== null || performance.now() > until) throw new Error("nats-server did not start");
      await delay(LOOK_MS);
    }
  }
  /** @param {NodeJS.Signals} signal */
  async function end(signal) {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, "exit");
    ending.kill(signal);
    await exited;
  }
  async function stop() {
    await end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    monitorUrl: `http://127.0.0.1:${monitorPort}`,
    kill: () => end("SIGKILL"),
    start,
    stop,
  };
}
