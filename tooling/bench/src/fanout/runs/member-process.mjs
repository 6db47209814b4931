// @ts-check
// The server or the worker of a contender, controlled by messages: member-process.mjs server|worker KIND
import { writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { cpuOfThreads } from "../cpu-of-processes.mjs";
import { poolThreads } from "./note-threads.cjs";
import { RUN_CONTENDERS, SAMPLING_US } from "./run-contender.mjs";

/** @import { MemberOptions } from "./run-contender.mjs" */
/** @import { MemberQuestion } from "./start-member.mjs" */

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

/** Takes a CPU profile of this process. */
const profiler = new Session();

async function beginProfile() {
  profiler.connect();
  await profiler.post("Profiler.enable");
  await profiler.post("Profiler.setSamplingInterval", { interval: SAMPLING_US });
  await profiler.post("Profiler.start");
  process.send?.({ profiling: true });
}

/** @param {string} path */
async function endProfile(path) {
  const { profile } = await profiler.post("Profiler.stop");
  profiler.disconnect();
  await writeFile(path, JSON.stringify(profile));
  process.send?.({ profiling: false });
}

process.on("message", async (/** @type {MemberOptions | MemberQuestion | "end"} */ message) => {
  if (message === "usage") {
    const { user, system } = process.cpuUsage();
    const threads = cpuOfThreads(poolThreads);
    process.send?.({ cpuUs: user + system, ...threads, done, bytes: process.memoryUsage.rss() });
  } else if (message === "progress") {
    process.send?.({ done, bytes: process.memoryUsage.rss() });
  } else if (message === "end") {
    await member?.close();
    process.exit(0);
  } else if (message === "profile") await beginProfile();
  else if ("profileTo" in message) await endProfile(message.profileTo);
  else await begin(message);
});
