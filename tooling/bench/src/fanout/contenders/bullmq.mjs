// @ts-check
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";

/** @import { QueueClient } from "./contender.mjs" */

/** @param {string} address */
function connectionOf(address) {
  return new Redis(address, { maxRetriesPerRequest: null });
}

/** @type {QueueClient} */
export const bullmq = {
  openAdder: async (address, name) => {
    const connection = connectionOf(address);
    const queue = new Queue(name, { connection });
    await queue.waitUntilReady();
    return {
      add: async (ids) => {
        await queue.addBulk(ids.map((id) => ({ name: "task", data: { id }, opts: { jobId: id } })));
      },
      close: async () => {
        await queue.close();
        connection.disconnect();
      },
    };
  },
  openWorker: async (address, name, { concurrency, onDone }) => {
    const connection = connectionOf(address);
    const work = async () => ({ outcome: { status: "succeeded" } });
    const worker = new Worker(name, work, { connection, concurrency });
    worker.on("completed", onDone);
    await worker.waitUntilReady();
    return {
      close: async () => {
        await worker.close();
        connection.disconnect();
      },
    };
  },
};
