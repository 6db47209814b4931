// @ts-check
// The server or the worker of a contender, controlled by messages: member-process.mjs server|worker KIND
import { RUN_CONTENDERS } from "./run-contender.mjs";

/** @import { MemberOptions } from "./run-contender.mjs" */

const [role, kind] = process.argv.slice(2);
const load = Object.entries(RUN_CONTENDERS).find(([name]) => name === kind)?.[1];
if (load === undefined || process.send === undefined) throw new Error("The benchmark starts member-process.mjs.");
const contender = await load();
/** @type {{ close(): Promise<void> } | undefined} */
let member;
let done = 0;

/** @param {MemberOptions} options */
async function begin(options) {
  if (role === "server") {
    const server = await contender.openServer(options);
    member = server;
    process.send?.({ ready: server.url });
    return;
  }
  member = await contender.openWorker(options, () => {
    done += 1;
  });
  process.send?.({ ready: "" });
}

process.on("message", async (/** @type {MemberOptions | "usage" | "end"} */ message) => {
  if (message === "usage") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system, done, bytes: process.memoryUsage.rss() });
  } else if (message === "end") {
    await member?.close();
    process.exit(0);
  } else await begin(message);
});
