// @ts-check
// Sends model requests and reads the streamed responses: client-process.mjs TARGETS. TARGETS is the JSON array that the
// proxy prints. For each line `at-once` or `in-turn` of its input, each run makes one call, all at once or one after the
// other. Prints the times to the first byte in milliseconds, and the number of deltas received.
import { Agent, request as send } from "node:http";
import { createInterface } from "node:readline";

/** @type {readonly import("./proxy-process.mjs").RunTarget[]} */
const targets = JSON.parse(process.argv[2] ?? "[]");
const agent = new Agent({ keepAlive: true });
/** A body as large as the first requests of agents. */
const BODY = JSON.stringify({
  ...{ model: "claude-sonnet-4-5", max_tokens: 1_000, stream: true },
  messages: [{ role: "user", content: "Instructions for an agent. ".repeat(1_200) }],
});

/**
 * @param {import("./proxy-process.mjs").RunTarget} target
 * @returns {Promise<{ firstMs: number, deltas: number }>}
 */
function call({ url, token }) {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": token, "content-type": "application/json", "content-length": BODY.length };
    const start = performance.now();
    const request = send(url, { method: "POST", headers, agent }, (response) => {
      let firstMs = 0;
      let text = "";
      response.setEncoding("latin1").on("data", (piece) => {
        if (firstMs === 0) firstMs = performance.now() - start;
        text += piece;
      });
      response.once("error", reject);
      response.once("end", () => resolve({ firstMs, deltas: text.split("content_block_delta").length >> 1 }));
    });
    request.once("error", reject);
    request.end(BODY);
  });
}

for await (const order of createInterface({ input: process.stdin })) {
  const results = [];
  if (order === "at-once") results.push(...(await Promise.all(targets.map(call))));
  else for (const target of targets) results.push(await call(target));
  const deltas = results.reduce((sum, one) => sum + one.deltas, 0);
  console.log(JSON.stringify({ firstMs: results.map(({ firstMs }) => firstMs), deltas }));
}
