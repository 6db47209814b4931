// @ts-check
// Serves events that are made at a steady pace: serve-process.mjs CONTENDER PER_TICK TICK_MS TICKS CHARACTERS FOLDER
import { once } from "node:events";
import { contenders } from "./contenders.mjs";

const [contender = "", ...numbers] = process.argv.slice(2);
const [perTick = 1, tickMs = 20, ticks = 1, characters = 20] = numbers.slice(0, 4).map(Number);
const open = contenders[contender];
if (open === undefined) throw new Error(`There is no contender ${contender}.`);
const server = await open(numbers[4] ?? "");
console.log(JSON.stringify({ port: server.port, path: server.path }));
await once(process.stdin, "data");

const filler = "x".repeat(characters);
const cpuBefore = process.cpuUsage();
const startMs = performance.now();
for (let tick = 0; tick < ticks; tick += 1) {
  const dueMs = startMs + tick * tickMs;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
  for (let count = 0; count < perTick; count += 1) {
    await server.publish(`@at:${performance.timeOrigin + performance.now()}@${filler}`);
  }
}
// Data in flight is sent within this time, which counts as the server's work.
await new Promise((resolve) => setTimeout(resolve, 300));
const { user, system } = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ cpuUs: user + system, waitingBytes: server.waitingBytes() }));
await server.end();
