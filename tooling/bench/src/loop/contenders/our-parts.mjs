// @ts-check
import { createAnthropicProfile } from "@switchyard/agent";
import { argumentsOf, DELTA, latencyOf, resultOf, TOOL } from "./plan.mjs";

/** @import { Client, ExecutionEnvironment, ModelResponse, Part, RegisteredTool, StreamEvent } from "@switchyard/contracts" */
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

/** @param {Plan} plan @returns {Client} */
function benchClient(plan) {
  let asked = 0;
  return {
    complete: () => Promise.reject(new Error("Answers are streamed.")),
    stream: () => {
      asked += 1;
      return answer(plan, asked - 1);
    },
    close: async () => {},
  };
}

/** @param {Plan} plan @returns {RegisteredTool} */
function benchTool(plan) {
  const { name, description, schema } = TOOL;
  return { definition: { name, description, parameters: schema }, effects: "readonly", execute: () => resultOf(plan) };
}

const NOTHING_THERE = new Error("nothing is there");

function refuse() {
  return Promise.reject(NOTHING_THERE);
}

/**
 * An environment without files and programs, shared by all sessions, so that it adds no cost.
 * @type {ExecutionEnvironment}
 */
export const EMPTY_ENVIRONMENT = {
  ...{ name: "empty", workingDirectory: "/empty", platform: "linux", osVersion: "1", exists: async () => false },
  ...{ readFile: refuse, readBytes: refuse, writeFile: refuse, stat: refuse, listDirectory: refuse },
  ...{ makeDirectory: refuse, rename: refuse, remove: refuse, exec: refuse, shell: refuse, spawn: refuse },
  ...{ grep: refuse, glob: refuse, [Symbol.asyncDispose]: async () => {} },
};

/** Shared by all sessions because it is data; the peers share their models too. */
const PROFILE = createAnthropicProfile({ model: "bench" });

/** Returns the parts of a session or engine for a conversation. @param {Plan} plan */
export function ourParts(plan) {
  return {
    client: benchClient(plan),
    profile: PROFILE,
    tools: [benchTool(plan)],
  };
}
