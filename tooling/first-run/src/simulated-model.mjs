// @ts-check
// `node simulated-model.mjs`: a server with Anthropic's API on a loopback port that it prints. It stands for a model: it
// answers each user message with one shell command that fixes the tutorial's file, and then with a text.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** Command that the simulated model runs for each task. */
const COMMAND = "test ! -e hello.js || sed -i.orig s/Helo/Hello/ hello.js && rm -f hello.js.orig";

/** @typedef {{ role: string, content: string | { type: string }[] }} Message */

const server = createServer((request, response) => {
  void text(request).then((body) => {
    if (request.method !== "POST") return response.writeHead(404).end();
    const { model, messages, stream } = JSON.parse(body);
    const content = contentFor(messages);
    const message = {
      ...{ id: `msg_${messages.length}`, type: "message", role: "assistant", model, content, stop_sequence: null },
      stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
      usage: { input_tokens: 100, output_tokens: 20 },
    };
    if (stream !== true) return sendJson(response, message);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of toEvents(message)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(address.port);
});
// The server ends with the process that started it.
process.stdin.resume().on("end", () => process.exit());

/**
 * @param {readonly Message[]} messages
 * @returns {Record<string, unknown>[]}
 */
function contentFor(messages) {
  const last = messages.at(-1)?.content ?? "";
  const isResult = typeof last !== "string" && last.some(({ type }) => type === "tool_result");
  if (isResult) return [{ type: "text", text: "Done. I fixed the typo." }];
  return [{ type: "tool_use", id: `call_${messages.length}`, name: "shell", input: { command: COMMAND } }];
}

/**
 * Converts a message to the events of a streamed response.
 * @param {{ content: Record<string, unknown>[], stop_reason: string, usage: { output_tokens: number } }} message
 * @returns {{ type: string }[]}
 */
function toEvents({ content, stop_reason, usage, ...message }) {
  const blocks = content.flatMap((block, index) => [
    {
      ...{ type: "content_block_start", index },
      content_block: block["type"] === "text" ? { type: "text", text: "" } : { ...block, input: {} },
    },
    {
      ...{ type: "content_block_delta", index },
      delta:
        block["type"] === "text"
          ? { type: "text_delta", text: block["text"] }
          : { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) },
    },
    { type: "content_block_stop", index },
  ]);
  return [
    { ...{ type: "message_start" }, ...{ message: { ...message, content: [], stop_reason: null, usage } } },
    ...blocks,
    { ...{ type: "message_delta" }, ...{ delta: { stop_reason, stop_sequence: null }, usage } },
    { type: "message_stop" },
  ];
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {object} body
 * @returns {void}
 */
function sendJson(response, body) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
