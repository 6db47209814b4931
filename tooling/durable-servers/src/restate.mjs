// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.mjs";

/** @import { ChildProcess } from "node:child_process" */

/**
 * A Restate server for tests, with a separate folder.
 * @typedef {object} Restate
 * @property {string} url Address for calls of services.
 * @property {string} adminUrl Address of the admin API.
 * @property {number} workerPort Free port for the worker, which stays the same when the worker is started again.
 * @property {() => Promise<void>} kill Kills it with SIGKILL.
 * @property {() => Promise<void>} start Starts it again with the stored data.
 * @property {() => Promise<void>} stop Ends it and removes its folder.
 */

const READY_MS = 60_000;
const LOOK_MS = 50;
// `.ci/run` installs the server's npm package in this folder. Its licence allows development, not a managed service.
const PACKAGE = `@restatedev/restate-server-linux-${process.arch}/bin`;
const INSTALLED = `/opt/restate-server/node_modules/${PACKAGE}`;

/** @returns {string | undefined} */
function findProgram() {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), INSTALLED];
  return folders.map((folder) => join(folder, "restate-server")).find((path) => existsSync(path));
}

/** Returns why no Restate server can be started here. `undefined` if one can. @returns {string | undefined} */
export function restateProblem() {
  return findProgram() === undefined ? "restate-server is not installed; `.ci/run` shows how to install it" : undefined;
}

/**
 * @param {string} url
 * @returns {Promise<boolean>}
 */
async function isHealthy(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Starts a Restate server on free local ports. @returns {Promise<Restate>} */
export async function startRestate() {
  const program = findProgram();
  if (program === undefined) throw new Error(restateProblem());
  const folder = mkdtempSync(join(tmpdir(), "restate-"));
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const [url, adminUrl] = [`http://127.0.0.1:${ingress}`, `http://127.0.0.1:${admin}`];
  const env = {
    PATH: process.env["PATH"],
    RESTATE_BASE_DIR: folder,
    RESTATE_NODE_NAME: "test",
    RESTATE_CLUSTER_NAME: "test",
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_DEFAULT_NUM_PARTITIONS: "1",
    RESTATE_DISABLE_TELEMETRY: "true",
    DO_NOT_TRACK: "1",
    RUST_LOG: "warn",
  };
  /** @type {ChildProcess | undefined} */
  let child;

  async function start() {
    const started = spawn(program ?? "", [], { cwd: folder, env, stdio: "ignore" });
    child = started;
    const until = performance.now() + READY_MS;
    while (!((await isHealthy(`${adminUrl}/health`)) && (await isHealthy(`${url}/restate/health`)))) {
      if (started.exitCode !== null || performance.now() > until) throw new Error("restate-server did not start");
      await delay(LOOK_MS);
    }
  }
  async function kill() {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, "exit");
    ending.kill("SIGKILL");
    await exited;
  }
  async function stop() {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, adminUrl, workerPort: await freePort(), kill, start, stop };
}
