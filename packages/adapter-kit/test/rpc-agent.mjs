// @ts-check
// A persistent agent that speaks JSON-RPC over lines: node rpc-agent.mjs LOG [slow | silent | refuse]. The prompt says what it does.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , log = "", mode = ""] = process.argv;
const note = (/** @type {unknown} */ entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
const send = (/** @type {Record<string, unknown>} */ message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tell = (/** @type {string} */ method, /** @type {Record<string, unknown>} */ params) => send({ method, params });

note({ started: process.pid });
process.on("SIGTERM", () => {
  note({ signal: "SIGTERM" });
  process.exit(0);
});
// The end of its input is not the end of it: what ends it is noted above.
setInterval(() => {}, 1_000);
/** @type {unknown} */
let open;

/** @param {string} prompt */
function work(prompt) {
  if (prompt === "die") process.exit(7);
  if (prompt === "hang") return note({ hangs: true });
  if (prompt === "ask permission") send({ id: "p1", method: "permission", params: { tool: "Shell" } });
  if (prompt === "ask later") send({ id: "l1", method: "later", params: { tool: "Shell" } });
  if (prompt === "ask unknown") send({ id: "u1", method: "unheard/of", params: {} });
  if (prompt === "ask person") return send({ id: "q1", method: "question", params: { text: "Left or right?" } });
  tell("text", { text: `did: ${prompt}` });
  if (!prompt.startsWith("ask")) finish();
}

function finish() {
  tell("tokens", { all: 500, last: 100 });
  send({ id: open, result: { status: "done" } });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  note(message);
  if (message.method === "hello" && mode === "silent") return;
  if (message.method === "hello" && mode === "refuse") {
    const data = { key: process.env["ACME_KEY"] };
    send({ id: message.id, error: { code: -1, message: `no entry with ${process.env["ACME_KEY"]}`, data } });
    return;
  }
  if (message.method === "hello") {
    // Before the answer it belongs to, as real servers do.
    tell("welcome", { version: "1" });
    send({ id: message.id, result: { session: message.params.resume ?? "session-1" } });
  } else if (message.method === "turn") {
    open = message.id;
    work(message.params.prompt);
  } else if (message.method === "interrupt") {
    note({ interrupted: true });
    send({ id: open, result: { status: "interrupted" } });
  } else if (message.method === undefined) finish();
});
