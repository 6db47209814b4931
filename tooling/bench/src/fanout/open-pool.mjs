// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { QUEUES } from "./contenders/contender.mjs";
import { cpuOfProcesses } from "./cpu-of-processes.mjs";

/** @import { QueueServer } from "./servers/start-process.mjs" */
/** @typedef {keyof typeof QUEUES} QueueName */
/** @typedef {{ wallUs: number, cpuUs: number }} TaskCost one task's share, in microseconds */

/**
 * A queue with its server, a producer, and workers in separate processes.
 * @typedef {object} Pool
 * @property {string} durability
 * @property {(tasks: number) => Promise<TaskCost>} execute adds tasks and waits until the workers are through
 * @property {() => Promise<void>} close
 */

/** @typedef {{ kind: QueueName, workers: number, concurrency: number, outlives: "process" | "power" }} PoolOptions */

/** @param {QueueName} kind @param {{ address: string, name: string, concurrency: number }} begin */
async function startWorker(kind, begin) {
  const child = fork(join(import.meta.dirname, "worker-process.mjs"), [kind], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.send(begin);
  await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`${kind} died`))),
  ]);
  return child;
}

/**
 * @param {PoolOptions} options
 * @returns {Promise<Pool>}
 */
export async function openPool(options) {
  const server = await QUEUES[options.kind].start(options.outlives);
  try {
    return await openPoolOn(server, options);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * @param {QueueServer} server
 * @param {PoolOptions} options
 * @returns {Promise<Pool>}
 */
async function openPoolOn(server, { kind, workers, concurrency }) {
  const queue = QUEUES[kind];
  const adder = await (await queue.load()).openAdder(server.address, "bench");
  const begin = { address: server.address, name: "bench", concurrency };
  const children = await Promise.all(Array.from({ length: workers }, () => startWorker(kind, begin)));
  /** @type {Map<number, number>} */
  const counts = new Map();
  let onCount = () => {};
  for (const child of children) {
    child.on("message", (/** @type {{ done: number }} */ { done }) => {
      counts.set(child.pid ?? 0, done);
      onCount();
    });
  }
  const doneInAll = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const cpu = () => cpuOfProcesses([process.pid, ...server.pids()]) ?? Number.NaN;
  let added = 0;
  return {
    durability: server.durability,
    execute: async (tasks) => {
      const ids = Array.from({ length: tasks }, (_, index) => `task-${added + index}`);
      added += tasks;
      const [before, start] = [cpu(), performance.now()];
      /** @type {Promise<void>} */
      const through = new Promise((resolve) => {
        onCount = () => {
          if (doneInAll() >= added) resolve();
        };
      });
      await Promise.all([adder.add(ids), through]);
      return { wallUs: ((performance.now() - start) * 1_000) / tasks, cpuUs: (cpu() - before) / tasks };
    },
    close: async () => {
      const exits = children.map((child) => once(child, "exit"));
      for (const child of children) child.send("end");
      await Promise.all(exits);
      await adder.close();
      await server.stop();
    },
  };
}
