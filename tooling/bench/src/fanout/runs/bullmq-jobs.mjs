// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";

/** @import { RunContender } from "./run-contender.mjs" */

const QUEUE = "bench";

/** @param {string} address */
function connectionOf(address) {
  return new Redis(address, { maxRetriesPerRequest: null });
}

/** @type {RunContender} */
export const bullmqJobs = {
  openServer: async ({ address }) => {
    const connection = connectionOf(address);
    const queue = new Queue(QUEUE, { connection });
    await queue.waitUntilReady();
    const server = createServer(async (request, response) => {
      const job = await queue.add("run", await json(request));
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ run_id: job.id }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const bound = server.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    return {
      url: `http://127.0.0.1:${port}/`,
      close: async () => {
        server.closeAllConnections();
        server.close();
        await queue.close();
        connection.disconnect();
      },
    };
  },
  openWorker: async ({ address, concurrency }, onDone) => {
    const connection = connectionOf(address);
    const work = async () => ({ exit_code: 0, final_message: "done" });
    const worker = new Worker(QUEUE, work, { connection, concurrency });
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
