// @ts-check
import { importPeer } from "../../../peers/import-peer.mjs";
import { argumentsOf, DELTA, latencyOf, listener, resultOf, TOOL } from "./plan.mjs";

/** @import { Contender, Plan } from "./plan.mjs" */

const USAGE = { requests: 1, inputTokens: 100, outputTokens: 20, totalTokens: 120 };

/** @param {Plan} plan @param {number} round */
async function* answer(plan, round) {
  await latencyOf(plan);
  yield { type: "response_started" };
  if (round < plan.rounds) {
    const text = JSON.stringify(argumentsOf(round));
    const call = { type: "function_call", callId: `call-${round}`, name: TOOL.name, status: "completed" };
    const output = [{ ...call, arguments: text }];
    yield { type: "response_done", response: { id: `response-${round}`, usage: USAGE, output } };
    return;
  }
  let text = "";
  for (let index = 0; index < plan.deltas; index += 1) {
    text += DELTA;
    yield { type: "output_text_delta", delta: DELTA };
  }
  const content = [{ type: "output_text", text }];
  const output = [{ type: "message", role: "assistant", status: "completed", content }];
  yield { type: "response_done", response: { id: `response-${round}`, usage: USAGE, output } };
}

/** @returns {Promise<Contender>} */
export async function openOpenAiAgents() {
  const { Agent, run, setTracingDisabled, tool } = await importPeer("@openai/agents");
  setTracingDisabled(true);
  /** @type {unknown[]} */
  const kept = [];
  return {
    converse: async (plan) => {
      const { sawCall, sawDelta, seen } = listener(plan);
      const { name, description, schema: parameters } = TOOL;
      let asked = 0;
      const model = {
        getResponse: () => Promise.reject(new Error("Answers are streamed.")),
        getStreamedResponse: () => {
          asked += 1;
          return answer(plan, asked - 1);
        },
      };
      const look = tool({ name, description, parameters, strict: false, execute: async () => resultOf(plan) });
      const agent = new Agent({ name: "bench", instructions: "You are an agent.", model, tools: [look] });
      const result = await run(agent, "go", { stream: true, maxTurns: plan.rounds + 2 });
      kept.push(result);
      for await (const event of result) {
        if (event.type === "run_item_stream_event" && event.name === "tool_output") sawCall();
        if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta")
          await sawDelta(event.data.delta);
      }
      await result.completed;
      return seen();
    },
  };
}
