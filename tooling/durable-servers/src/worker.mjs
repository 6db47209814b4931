// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/**
 * A bundled program on disk.
 * @typedef {object} WorkerProgram
 * @property {string} path
 * @property {() => void} remove
 */

/**
 * Bundles a worker from source, except for its external packages.
 * @param {string} module Path of the module.
 * @param {{ external: readonly (string | RegExp)[], folder: string }} options `folder`: the package that has the external packages.
 * @returns {Promise<WorkerProgram>}
 */
export async function bundleWorker(module, { external, folder }) {
  const cache = join(folder, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const target = mkdtempSync(join(cache, "worker-"));
  const bundle = await rolldown({
    input: module,
    platform: "node",
    external: [...external],
    transform: { target: "node20.19" },
    resolve: { conditionNames: ["@switchyard/source", "node", "import", "module", "default"] },
    onLog: () => {},
  });
  await bundle.write({ dir: target, format: "esm", entryFileNames: "worker.mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  return { path: join(target, "worker.mjs"), remove: () => rmSync(target, { recursive: true, force: true }) };
}

/**
 * A process that executes workflows.
 * @typedef {AsyncDisposable & WorkerHandle} Worker
 */

/**
 * @typedef {object} WorkerHandle
 * @property {() => boolean} isAlive
 * @property {(name: string, ...args: unknown[]) => Promise<unknown>} call Calls a function of the worker. Rejects if it dies.
 * @property {Promise<unknown>} exited Resolves when the process has ended.
 * @property {() => Promise<void>} kill Kills it with SIGKILL.
 */

/**
 * Starts a worker, and resolves when it is ready.
 * @param {string} program
 * @param {{ settings: Readonly<Record<string, unknown>>, onMoment?: (moment: string) => void }} options
 * @returns {Promise<Worker>}
 */
export async function startWorker(program, { settings, onMoment = () => {} }) {
  const child = fork(program, [JSON.stringify(settings)], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
  const exited = once(child, "exit");
  /** @type {Map<number, { resolve: (value: unknown) => void, reject: (error: Error) => void }>} */
  const calls = new Map();
  let [count, errors] = [0, ""];
  child.stderr?.on("data", (chunk) => {
    errors = `${errors}${chunk}`.slice(-4_000);
  });
  /** @type {Promise<void>} */
  const ready = new Promise((resolve, reject) => {
    child.on("message", (/** @type {{ id?: number, value?: unknown, error?: string, moment?: string }} */ message) => {
      const { id, value, error, moment } = message;
      if (moment !== undefined) onMoment(moment);
      else if (id === undefined) resolve();
      else if (error === undefined) calls.get(id)?.resolve(value);
      else calls.get(id)?.reject(new Error(error));
    });
    child.on("exit", (code, signal) => {
      const error = new Error(`the worker ended: ${code ?? signal} ${errors}`);
      reject(error);
      for (const call of calls.values()) call.reject(error);
    });
  });
  await ready;
  async function kill() {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
  }
  return {
    exited,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    call(name, ...args) {
      const id = ++count;
      return new Promise((resolve, reject) => {
        calls.set(id, { resolve, reject });
        child.send({ id, name, args }, (error) => {
          if (error !== null) reject(error);
        });
      });
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
