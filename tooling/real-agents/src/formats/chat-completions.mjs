// @ts-check
import { textOf } from "./text-of.mjs";

/** @import { ModelAnswer, ModelFormat } from "../model-server.mjs" */

/** @param {ModelAnswer} answer */
function usageOf({ usage }) {
  return {
    ...{ prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

/** @param {ModelAnswer} answer */
function callsOf({ calls }) {
  return calls.map(({ id, name, arguments: given }, index) => {
    return { index, id, type: "function", function: { name, arguments: JSON.stringify(given) } };
  });
}

/** Format of OpenAI's chat completions. @type {ModelFormat} */
export const chatCompletions = {
  serves: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    ...{ model: body.model, isStreamed: body.stream === true },
    tools: (body.tools ?? []).map((/** @type {any} */ tool) => tool.function?.name ?? tool.name),
    messages: body.messages.flatMap((/** @type {any} */ { role, content }) => {
      return role === "system" || role === "developer" ? [] : [{ role, text: textOf(content) }];
    }),
  }),
  whole(answer) {
    const { id, model, text, calls } = answer;
    const message = {
      role: "assistant",
      content: text,
      ...(calls.length === 0 ? {} : { tool_calls: callsOf(answer) }),
    };
    const finish_reason = calls.length === 0 ? "stop" : "tool_calls";
    return {
      ...{ id, object: "chat.completion", created: 0, model, usage: usageOf(answer) },
      choices: [{ index: 0, message, finish_reason }],
    };
  },
  streamed(answer) {
    const { id, model, text, calls } = answer;
    const chunk = (/** @type {Record<string, unknown>} */ more) =>
      `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 0, model, ...more })}\n\n`;
    const delta = (/** @type {unknown} */ given, /** @type {string | null} */ finish_reason = null) =>
      chunk({ choices: [{ index: 0, delta: given, finish_reason }] });
    return [
      delta({ role: "assistant", content: "" }),
      ...(text === "" ? [] : [delta({ content: text })]),
      ...(calls.length === 0 ? [] : [delta({ tool_calls: callsOf(answer) })]),
      delta({}, calls.length === 0 ? "stop" : "tool_calls"),
      chunk({ choices: [], usage: usageOf(answer) }),
      "data: [DONE]\n\n",
    ];
  },
};
