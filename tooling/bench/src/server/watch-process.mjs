// @ts-check
// Watches events from many connections: watch-process.mjs PORT PATH CLIENTS STALLED
import { once } from "node:events";
import { connect } from "node:net";
import { quantileOf } from "../figure/spread.mjs";

const [port, path, clients, stalled] = process.argv.slice(2);
/** @type {number[]} */
const latencies = [];
let ended = 0;

/** @returns {Promise<import("node:net").Socket>} */
async function open() {
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  return socket;
}

for (let count = 0; count < Number(stalled); count += 1) (await open()).pause();
/** @type {Promise<void>[]} */
const answered = [];
for (let count = 0; count < Number(clients); count += 1) {
  const socket = await open();
  answered.push(once(socket, "data").then(() => undefined));
  let rest = "";
  socket.on("data", (piece) => {
    const nowMs = performance.timeOrigin + performance.now();
    const blocks = (rest + piece.toString("latin1")).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const at = block.indexOf("@at:");
      if (at >= 0) latencies.push(nowMs - Number(block.slice(at + 4, block.indexOf("@", at + 4))));
    }
  });
  socket.once("close", () => {
    ended += 1;
    if (ended === Number(clients)) {
      console.log(JSON.stringify({ delivered: latencies.length, p99Ms: quantileOf(latencies, 0.99) }));
    }
  });
}
await Promise.all(answered);
console.log(JSON.stringify({ ready: true }));
