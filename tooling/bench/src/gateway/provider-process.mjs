// @ts-check
// Simulates a model provider: provider-process.mjs DELTAS TICK_MS. Each request gets a stream of Anthropic's Messages API
// with that number of deltas. All open streams get one delta per tick.
import { once } from "node:events";
import { createServer } from "node:http";

const [deltas, tickMs] = process.argv.slice(2).map(Number);

/** @param {{ type: string, [name: string]: unknown }} data */
function frameOf(data) {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const START = frameOf({
  type: "message_start",
  message: { id: "m", usage: { input_tokens: 9_000, output_tokens: 1 } },
});
const DELTA = frameOf({
  ...{ type: "content_block_delta", index: 0 },
  delta: { type: "text_delta", text: "some words of a response" },
});
const END = frameOf({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: deltas } });

/** @type {Map<import("node:http").ServerResponse, number>} */
const streams = new Map();

const server = createServer((request, response) => {
  request.resume().once("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(START);
    streams.set(response, 0);
    response.once("close", () => streams.delete(response));
  });
});
server.keepAliveTimeout = 60_000;
setInterval(() => {
  for (const [response, sent] of streams) {
    streams.set(response, sent + 1);
    if (sent < (deltas ?? 0)) response.write(DELTA);
    else {
      streams.delete(response);
      response.end(END);
    }
  }
}, tickMs);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
console.log(JSON.stringify({ url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` }));
