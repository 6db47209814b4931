// @ts-check
// Model server that responds from a script, for the commands of real agents: OpenAI's chat completions and responses,
// Anthropic's messages and Gemini's contents, streamed or complete. It stores nothing: the position in a conversation
// is determined from its messages, so sessions can be resumed and the server restarted.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { chatCompletions } from "./formats/chat-completions.mjs";
import { generateContent } from "./formats/generate-content.mjs";
import { messages } from "./formats/messages.mjs";
import { responses } from "./formats/responses.mjs";

/**
 * A message of a conversation, independent of its format.
 * @typedef {{ role: "user" | "assistant" | "tool", text: string }} ModelMessage
 */

/**
 * A request to the model.
 * @typedef {{ model: string, messages: ModelMessage[], tools: string[], isStreamed: boolean }} ModelRequest
 */

/**
 * One response of the model: a text, tool calls, or an error, after `waitMs`.
 * @typedef {object} ModelStep
 * @property {string} [text]
 * @property {{ name: string, arguments: Record<string, unknown> }[]} [calls]
 * @property {{ status: number, message: string }} [error]
 * @property {number} [waitMs]
 * @property {{ input: number, output: number, cached?: number }} [usage]
 */

/**
 * Format-independent response.
 * @typedef {object} ModelAnswer
 * @property {string} id
 * @property {string} model
 * @property {string} text
 * @property {{ id: string, name: string, arguments: Record<string, unknown> }[]} calls
 * @property {{ input: number, output: number, cached: number }} usage
 */

/**
 * One of the wire formats.
 * @typedef {object} ModelFormat
 * @property {(path: string) => boolean} serves
 * @property {(body: any, path: string) => ModelRequest} read
 * @property {(answer: ModelAnswer) => unknown} whole
 * @property {(answer: ModelAnswer) => string[]} streamed Events, in order.
 */

/** @type {readonly ModelFormat[]} */
const FORMATS = [chatCompletions, responses, messages, generateContent];
/** Usage of responses that report no other. */
export const USAGE = { input: 1200, output: 34 };

/**
 * Returns the position in a conversation: the last prompt that names a case as `CASE:name`, and the number of responses
 * since. Consecutive messages count as one response.
 * @param {readonly ModelMessage[]} conversation
 */
function placeOf(conversation) {
  const index = conversation.findLastIndex(({ role, text }) => role === "user" && /CASE:[\w-]+/u.test(text));
  const name = /CASE:([\w-]+)/u.exec(conversation[index]?.text ?? "")?.[1];
  const later = conversation.slice(index + 1).map(({ role }) => role);
  const step = later.filter((role, at) => role === "assistant" && later[at - 1] !== "assistant").length;
  return { name, step };
}

/**
 * @param {Readonly<Record<string, readonly ModelStep[]>>} script
 * @param {ModelRequest} request
 * @returns {ModelStep}
 */
function stepOf(script, request) {
  // Without tools, an agent asks for a title or a summary.
  if (request.tools.length === 0) return { text: "ok" };
  const { name, step } = placeOf(request.messages);
  if (name === undefined) return { text: "The prompt names no case." };
  return script[name]?.[step] ?? { text: `The case ${name} has no step ${step + 1}.` };
}

/** @param {import("node:http").IncomingHttpHeaders} headers */
function keyOf(headers) {
  const bearer = headers.authorization?.replace(/^Bearer /u, "");
  return String(headers["x-api-key"] ?? headers["x-goog-api-key"] ?? bearer ?? "");
}

let answers = 0;

/**
 * @param {ModelStep} step
 * @param {string} model
 * @returns {ModelAnswer}
 */
function answerOf({ text = "", calls = [], usage = USAGE }, model) {
  answers += 1;
  // A unique id, because agents store ids across sessions.
  const id = `${Date.now().toString(36)}${answers}`;
  const named = calls.map((call, index) => ({ ...call, id: `call_${id}_${index}` }));
  return { id, model, text, calls: named, usage: { cached: 0, ...usage } };
}

/**
 * Starts the server on loopback. `journal` is a file that receives a line for every request. `onRequest` is called
 * before the response to every request of a model, with the request's API key.
 * @param {object} options
 * @param {Readonly<Record<string, readonly ModelStep[]>>} options.script
 * @param {number} [options.port]
 * @param {string} [options.journal]
 * @param {(key: string) => void} [options.onRequest]
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function startModelServer({ script, port = 0, journal, onRequest }) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const format = FORMATS.find(({ serves }) => request.method === "POST" && serves(path));
    if (format === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `There is nothing at ${path}.`, type: "not_found_error" } }));
      return;
    }
    const asked = format.read(JSON.parse(Buffer.concat(chunks).toString("utf8")), path);
    const step = stepOf(script, asked);
    onRequest?.(keyOf(request.headers));
    if (journal !== undefined) appendFileSync(journal, `${JSON.stringify({ path, ...asked, step })}\n`);
    if (step.waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, step.waitMs));
    if (step.error !== undefined) {
      const { status, message } = step.error;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message, type: "error", code: status, status: "FAILED" } }));
      return;
    }
    const answer = answerOf(step, asked.model);
    response.writeHead(200, { "content-type": asked.isStreamed ? "text/event-stream" : "application/json" });
    response.end(asked.isStreamed ? format.streamed(answer).join("") : JSON.stringify(format.whole(answer)));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
