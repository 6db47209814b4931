// @ts-check

/** @import { Client, ModelResponse, Part, RegisteredTool, StreamEvent } from "@switchyard/contracts" */

/** Length of a tool's result without its time, in characters. */
const RESULT_CHARS = 200;
const TOOL = "look";

/** @param {Part} part @returns {ModelResponse} */
function responseWith(part) {
  return {
    id: crypto.randomUUID(),
    model: "paced",
    provider: "anthropic",
    message: { role: "assistant", parts: [part] },
    finishReason: { unified: part.type === "tool_call" ? "tool_calls" : "stop" },
    usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120, costMicros: 10 },
    warnings: [],
  };
}

/** @param {boolean} isLast @returns {AsyncGenerator<StreamEvent, void>} */
async function* answer(isLast) {
  yield { type: "stream_start", id: "response", model: "paced" };
  if (isLast) {
    yield { type: "text_start", textId: "0" };
    yield { type: "text_delta", textId: "0", text: "Done." };
    yield { type: "text_end", textId: "0" };
    yield { type: "finish", response: responseWith({ type: "text", text: "Done." }) };
    return;
  }
  const [callId, text] = [crypto.randomUUID(), JSON.stringify({ place: `src/${Math.random()}.ts` })];
  yield { type: "tool_call_start", callId, name: TOOL };
  yield { type: "tool_call_end", callId, name: TOOL, arguments: text };
  yield { type: "finish", response: responseWith({ type: "tool_call", id: callId, name: TOOL, arguments: text }) };
}

/** A model whose answers the benchmark triggers. */
export class PacedModel {
  /** Calls that wait for their answer, the oldest first. @type {((isLast: boolean) => void)[]} */
  #waiting = [];
  #asked = 0;
  /** Number of runs to end with the next calls, because no call was waiting. */
  #owedEnds = 0;

  /** Number of calls so far. */
  get asked() {
    return this.#asked;
  }

  /** Number of calls that wait for their answer. */
  get waiting() {
    return this.#waiting.length;
  }

  /** @type {Client} */
  client = {
    complete: () => Promise.reject(new Error("Answers are streamed.")),
    stream: () => this.#stream(),
    close: async () => undefined,
  };

  /** Answers the oldest waiting call with a tool call, or with text that ends the run. @param {boolean} isLast */
  answerOne(isLast) {
    const next = this.#waiting.shift();
    if (next !== undefined) next(isLast);
    else if (isLast) this.#owedEnds += 1;
  }

  /** Waits for the turn of a call. Resolves with true if its answer ends the run. @returns {Promise<boolean>} */
  async #turn() {
    if (this.#owedEnds === 0) return await new Promise((resolve) => this.#waiting.push(resolve));
    this.#owedEnds -= 1;
    return true;
  }

  /** @returns {AsyncGenerator<StreamEvent, void>} */
  async *#stream() {
    this.#asked += 1;
    yield* answer(await this.#turn());
  }
}

/** The tool that the model calls. Its result contains the time at which it was executed. @type {RegisteredTool} */
export const LOOK = {
  definition: {
    name: TOOL,
    description: "Looks at a place.",
    parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
  },
  effects: "readonly",
  execute: () => `@at:${performance.timeOrigin + performance.now()}@${"x".repeat(RESULT_CHARS)}`,
};
