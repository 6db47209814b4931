// @ts-check
// A worker of a queue, started and stopped by messages: worker-process.mjs KIND
import { QUEUES } from "./contenders/contender.mjs";

/** @typedef {{ address: string, name: string, concurrency: number }} Begin */

const kind = Object.entries(QUEUES).find(([name]) => name === process.argv[2])?.[1];
if (kind === undefined || process.send === undefined) throw new Error("worker-process.mjs is started by the benchmark");
const client = await kind.load();
/** @type {{ close(): Promise<void> } | undefined} */
let worker;
let done = 0;
let isTold = true;

/** Reports the number of finished tasks, once per event loop turn. */
function tell() {
  isTold = true;
  process.send?.({ done });
}

function onDone() {
  done += 1;
  if (!isTold) return;
  isTold = false;
  setImmediate(tell);
}

process.on("message", async (/** @type {Begin | "end"} */ message) => {
  if (message === "end") {
    await worker?.close();
    process.disconnect();
    return;
  }
  const { address, name, concurrency } = message;
  worker = await client.openWorker(address, name, { concurrency, onDone });
  process.send?.({ ready: true });
});
