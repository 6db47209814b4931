// @ts-check
import { importPeer } from "../../../peers/import-peer.mjs";
import { argumentsOf, DELTA, latencyOf, listener, resultOf, TOOL } from "./plan.mjs";

/** @import { Contender, Plan } from "./plan.mjs" */

const USAGE = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

/** @param {Plan} plan @param {number} round */
function* answer(plan, round) {
  yield { type: "stream-start", warnings: [] };
  if (round < plan.rounds) {
    const [id, { name: toolName }, input] = [`call-${round}`, TOOL, JSON.stringify(argumentsOf(round))];
    yield { type: "tool-input-start", id, toolName };
    yield { type: "tool-input-delta", id, delta: input };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName, input };
    yield { type: "finish", usage: USAGE, finishReason: { unified: "tool-calls", raw: undefined } };
    return;
  }
  yield { type: "text-start", id: "0" };
  for (let index = 0; index < plan.deltas; index += 1) yield { type: "text-delta", id: "0", delta: DELTA };
  yield { type: "text-end", id: "0" };
  yield { type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: undefined } };
}

/** @param {Plan} plan */
function benchModel(plan) {
  let asked = 0;
  return {
    ...{ specificationVersion: "v3", provider: "bench", modelId: "bench", supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error("Answers are streamed.")),
    doStream: async () => {
      await latencyOf(plan);
      const parts = answer(plan, asked);
      asked += 1;
      const stream = new ReadableStream({
        pull: (controller) => {
          const { value, done } = parts.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
      });
      return { stream };
    },
  };
}

/** @returns {Promise<Contender>} */
export async function openAiSdk() {
  const { jsonSchema, stepCountIs, tool, ToolLoopAgent } = await importPeer("ai");
  /** @type {unknown[]} */
  const kept = [];
  return {
    converse: async (plan) => {
      const { sawCall, sawDelta, seen } = listener(plan);
      const { name, description, schema } = TOOL;
      const look = tool({ description, inputSchema: jsonSchema(schema), execute: async () => resultOf(plan) });
      const agent = new ToolLoopAgent({
        model: benchModel(plan),
        tools: { [name]: look },
        stopWhen: stepCountIs(plan.rounds + 1),
      });
      const result = await agent.stream({ prompt: "go" });
      kept.push(result);
      for await (const part of result.fullStream) {
        if (part.type === "tool-result") sawCall();
        if (part.type === "text-delta") await sawDelta(part.text);
      }
      return seen();
    },
  };
}
