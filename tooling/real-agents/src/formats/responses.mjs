// @ts-check
import { eventOf, textOf } from "./text-of.mjs";

/** @import { ModelAnswer, ModelFormat, ModelMessage } from "../model-server.mjs" */

/**
 * @param {any} item
 * @returns {ModelMessage[]}
 */
function messagesOf(item) {
  switch (item.type ?? "message") {
    case "message":
      if (item.role !== "user" && item.role !== "assistant") return [];
      return [{ role: item.role, text: textOf(item.content) }];
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return [{ role: "assistant", text: "" }];
    case "reasoning":
      return [];
    default:
      return [{ role: "tool", text: textOf(item.output) }];
  }
}

/** @param {ModelAnswer} answer */
function itemsOf({ id, text, calls }) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return [
    ...(text === "" ? [] : [{ type: "message", id: `msg_${id}`, status: "completed", role: "assistant", content }]),
    ...calls.map(({ id: call_id, name, arguments: given }) => {
      const named = { call_id, name, arguments: JSON.stringify(given) };
      return { type: "function_call", id: `fc_${call_id}`, status: "completed", ...named };
    }),
  ];
}

/** @param {ModelAnswer} answer */
function responseOf(answer) {
  const { id, model, usage } = answer;
  return {
    ...{ id: `resp_${id}`, object: "response", created_at: 0, status: "completed", model, output: itemsOf(answer) },
    usage: {
      ...{ input_tokens: usage.input, input_tokens_details: { cached_tokens: usage.cached } },
      ...{ output_tokens: usage.output, output_tokens_details: { reasoning_tokens: 0 } },
      total_tokens: usage.input + usage.output,
    },
  };
}

/** Format of OpenAI's responses. @type {ModelFormat} */
export const responses = {
  serves: (path) => path.endsWith("/responses"),
  read: (body) => ({
    ...{ model: body.model, isStreamed: body.stream === true },
    tools: (body.tools ?? []).map((/** @type {any} */ tool) => tool.name ?? tool.type),
    messages: typeof body.input === "string" ? [{ role: "user", text: body.input }] : body.input.flatMap(messagesOf),
  }),
  whole: responseOf,
  streamed(answer) {
    const response = responseOf(answer);
    return [
      eventOf({ type: "response.created", response: { ...response, status: "in_progress", output: [] } }),
      ...itemsOf(answer).flatMap((item, output_index) => {
        const text = "content" in item ? answer.text : undefined;
        const place = { item_id: item.id, output_index, content_index: 0 };
        const begun = text === undefined ? item : { ...item, status: "in_progress", content: [] };
        return [
          eventOf({ type: "response.output_item.added", output_index, item: begun }),
          ...(text === undefined ? [] : [eventOf({ type: "response.output_text.delta", ...place, delta: text })]),
          eventOf({ type: "response.output_item.done", output_index, item }),
        ];
      }),
      eventOf({ type: "response.completed", response }),
    ];
  },
};
