// @ts-check
import { importPeer } from "../../../peers/import-peer.mjs";
import { argumentsOf, DELTA, latencyOf, listener, resultOf, TOOL } from "./plan.mjs";

/** @import { Contender, Plan } from "./plan.mjs" */

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const USAGE = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 120, cost: { ...COST, total: 0 } };
const MODEL = {
  ...{ id: "bench", name: "bench", api: "bench", provider: "bench", baseUrl: "" },
  ...{ reasoning: false, input: ["text"], cost: COST, contextWindow: 200_000, maxTokens: 8_192 },
};

/** Creates an empty message. @param {string} stopReason */
function emptyMessage(stopReason) {
  const { id: model, api, provider } = MODEL;
  return {
    ...{ role: "assistant", api, provider, model, usage: USAGE, stopReason, timestamp: Date.now() },
    /** @type {Record<string, unknown>[]} */
    content: [],
  };
}

/** @param {Plan} plan @param {number} round */
async function* answer(plan, round) {
  const latency = latencyOf(plan);
  if (latency !== undefined) await latency;
  const partial = emptyMessage(round < plan.rounds ? "toolUse" : "stop");
  yield { type: "start", partial };
  if (round < plan.rounds) {
    const text = JSON.stringify(argumentsOf(round));
    const toolCall = { type: "toolCall", id: `call-${round}`, name: TOOL.name, arguments: {} };
    partial.content.push(toolCall);
    yield { type: "toolcall_start", contentIndex: 0, partial };
    toolCall.arguments = JSON.parse(text);
    yield { type: "toolcall_delta", contentIndex: 0, delta: text, partial };
    yield { type: "toolcall_end", contentIndex: 0, toolCall, partial };
  } else {
    const block = { type: "text", text: "" };
    partial.content.push(block);
    yield { type: "text_start", contentIndex: 0, partial };
    for (let index = 0; index < plan.deltas; index += 1) {
      block.text += DELTA;
      yield { type: "text_delta", contentIndex: 0, delta: DELTA, partial };
    }
    yield { type: "text_end", contentIndex: 0, content: block.text, partial };
  }
  yield { type: "done", reason: partial.stopReason, message: partial };
}

/** @returns {Promise<Contender>} */
export async function openPi() {
  const { Agent } = await importPeer("@mariozechner/pi-agent-core");
  const { createAssistantMessageEventStream } = await importPeer("@mariozechner/pi-ai");
  /** @type {unknown[]} */
  const kept = [];

  /** Streams a response like pi's own providers. @param {Plan} plan @param {number} round */
  function streamAnswer(plan, round) {
    const stream = createAssistantMessageEventStream();
    const send = async () => {
      for await (const event of answer(plan, round)) stream.push(event);
    };
    void send();
    return stream;
  }

  return {
    converse: async (plan) => {
      const { sawCall, sawDelta, seen } = listener(plan);
      const { name, description, schema: parameters } = TOOL;
      const execute = async () => ({ content: [{ type: "text", text: resultOf(plan) }], details: {} });
      const tool = { name, label: name, description, parameters, execute };
      let asked = 0;
      const streamFn = () => {
        asked += 1;
        return streamAnswer(plan, asked - 1);
      };
      const agent = new Agent({
        initialState: { systemPrompt: "You are an agent.", model: MODEL, tools: [tool] },
        streamFn,
      });
      kept.push(agent);
      agent.subscribe((/** @type {any} */ event) => {
        if (event.type === "tool_execution_end") sawCall();
        if (event.type !== "message_update" || event.assistantMessageEvent.type !== "text_delta") return undefined;
        return sawDelta(event.assistantMessageEvent.delta);
      });
      await agent.prompt("go");
      return seen();
    },
  };
}
