// @ts-check
import { argumentsOf, DELTA, latencyOf, resultOf, TOOL } from "./plan.mjs";

/** @import { Client, ModelResponse, Part, RegisteredTool, StreamEvent } from "@switchyard/contracts" */
/** @import { Plan } from "./plan.mjs" */

const USAGE = { inputTokens: 100, outputTokens: 20, totalTokens: 120, costMicros: 10 };

/** @param {number} round @param {Part} part @returns {ModelResponse} */
function responseOf(round, part) {
  return {
    id: `response-${round}`,
    model: "bench",
    provider: "anthropic",
    message: { role: "assistant", parts: [part] },
    finishReason: { unified: part.type === "tool_call" ? "tool_calls" : "stop" },
    usage: USAGE,
    warnings: [],
  };
}

/** @param {Plan} plan @param {number} round @returns {AsyncGenerator<StreamEvent, void>} */
async function* answer(plan, round) {
  const latency = latencyOf(plan);
  if (latency !== undefined) await latency;
  yield { type: "stream_start", id: `response-${round}`, model: "bench" };
  if (round < plan.rounds) {
    const callId = `call-${round}`;
    const { name } = TOOL;
    const text = JSON.stringify(argumentsOf(round));
    yield { type: "tool_call_start", callId, name };
    yield { type: "tool_call_delta", callId, argumentsDelta: text };
    yield { type: "tool_call_end", callId, name, arguments: text };
    yield { type: "finish", response: responseOf(round, { type: "tool_call", id: callId, name, arguments: text }) };
    return;
  }
  yield { type: "text_start", textId: "0" };
  let whole = "";
  for (let index = 0; index < plan.deltas; index += 1) {
    whole += DELTA;
    yield { type: "text_delta", textId: "0", text: DELTA };
  }
  yield { type: "text_end", textId: "0" };
  yield { type: "finish", response: responseOf(round, { type: "text", text: whole }) };
}

/** Creates a client whose model follows the plan and takes no time. @param {Plan} plan @returns {Client} */
export function benchClient(plan) {
  let asked = 0;
  return {
    // Runs request a summary of a conversation that no longer fits the context window. Other loops keep the history.
    complete: async () => responseOf(plan.rounds, { type: "text", text: "The agent looked at many places." }),
    stream: () => {
      asked += 1;
      return answer(plan, asked - 1);
    },
    close: async () => {},
  };
}

/** Creates the tool that the model calls: a new object for each session. @param {Plan} plan @returns {RegisteredTool} */
export function benchTool(plan) {
  const { name, description, schema } = TOOL;
  return { definition: { name, description, parameters: schema }, effects: "readonly", execute: () => resultOf(plan) };
}
