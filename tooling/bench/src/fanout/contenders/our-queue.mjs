// @ts-check
import { workOnQueue } from "@switchyard/runtimes";
import { openNatsWorkQueue } from "@switchyard/stores/nats";

/** @import { QueueClient } from "./contender.mjs" */

const GROUP = "bench";
/** Number of tasks sent to the queue concurrently, as in a fan-out. */
const ON_THE_WAY = 64;

/** @type {QueueClient} */
export const ourQueue = {
  openAdder: async (servers, name) => {
    const queue = await openNatsWorkQueue({ servers, name, capacity: 1_000_000 });
    return {
      add: async (ids) => {
        const open = [...ids].reverse();
        const send = async () => {
          for (let id = open.pop(); id !== undefined; id = open.pop())
            await queue.add({ group: GROUP, id, body: { id } });
        };
        await Promise.all(Array.from({ length: ON_THE_WAY }, send));
      },
      close: () => queue.close(),
    };
  },
  openWorker: async (servers, name, { concurrency, onDone }) => {
    const queue = await openNatsWorkQueue({ servers, name });
    const stop = new AbortController();
    const execute = async () => ({ outcome: { status: "succeeded" } });
    const working = workOnQueue(queue, { execute, concurrency, signal: stop.signal, onEnd: onDone });
    return {
      close: async () => {
        stop.abort();
        await working;
        await queue.close();
      },
    };
  },
};
