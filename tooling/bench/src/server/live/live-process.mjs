// @ts-check
// Serves runs of the built-in agent with a paced model: live-process.mjs CONCURRENCY FOLDER. Prints the address, then one
// line for each command from stdin: `pace PER_SECOND SECONDS`, `advance ROUNDS`, `end COUNT`, `asked`, `weigh`.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createAgentEngine, createAnthropicProfile } from "@switchyard/agent";
import { startServer } from "@switchyard/server";
import { LOOK, PacedModel } from "./paced-model.mjs";

/** Time for finished work to be released before memory is measured, in milliseconds. */
const SETTLING_MS = 500;
const [concurrency = 1] = process.argv.slice(2, 3).map(Number);
const folder = process.argv[3] ?? "";
setFlagsFromString("--expose-gc");
/** @type {() => void} */
const collectGarbage = runInNewContext("gc");
const model = new PacedModel();
const engine = createAgentEngine({
  client: model.client,
  profile: createAnthropicProfile({ model: "paced" }),
  tools: [LOOK],
  config: { maxToolRoundsPerInput: 0, maxTurns: 0, enableLoopDetection: false },
});
const server = await startServer({
  session: { engine, engineName: "agent", workspaceDiff: false },
  stateDirectory: join(folder, "state"),
  openEnvironment: (root) => ({ type: "local", root, env: {}, spawnHelper: "never", ripgrep: false }),
  ...{ concurrency, maxQueuedPerOwner: 10_000, maxQueued: 10_000, maxConnections: 10_000 },
  streams: { maxPerOwner: 10_000 },
});

/** Answers one model call after another at a steady pace. @param {number} perSecond @param {number} seconds */
async function pace(perSecond, seconds) {
  const startMs = performance.now();
  for (let call = 0; call < perSecond * seconds; call += 1) {
    await delay(Math.max(0, startMs + (call * 1_000) / perSecond - performance.now()));
    model.answerOne(false);
  }
}

/** Answers all waiting calls with a tool call, so many times. @param {number} rounds */
async function advance(rounds) {
  for (let round = 0; round < rounds; round += 1) {
    const target = model.asked + model.waiting;
    for (let left = model.waiting; left > 0; left -= 1) model.answerOne(false);
    while (model.asked < target) await delay(5);
  }
}

/** Returns the memory after garbage collection. @returns {Promise<{ usedBytes: number, residentBytes: number }>} */
async function weigh() {
  await delay(SETTLING_MS);
  // What finalizers release is only found by the second collection.
  collectGarbage();
  await delay(1);
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { usedBytes: heapUsed + external, residentBytes: rss };
}

console.log(JSON.stringify({ url: server.url, port: server.port }));
for await (const line of createInterface({ input: process.stdin })) {
  const [command, first, second] = line.split(" ");
  let answer = {};
  if (command === "weigh") answer = await weigh();
  else if (command === "pace") await pace(Number(first), Number(second));
  else if (command === "advance") await advance(Number(first));
  else if (command === "end") for (let count = 0; count < Number(first); count += 1) model.answerOne(true);
  else if (command === "asked") answer = { asked: model.asked };
  console.log(JSON.stringify(answer));
}
