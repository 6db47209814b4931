// @ts-check
import { eventOf, textOf } from "./text-of.mjs";

/** @import { ModelAnswer, ModelFormat, ModelMessage } from "../model-server.mjs" */

/**
 * @param {any} message
 * @returns {ModelMessage[]}
 */
function messagesOf({ role, content }) {
  const isResult = Array.isArray(content) && content.some(({ type }) => type === "tool_result");
  return [{ role: isResult ? "tool" : role, text: textOf(content) }];
}

/** @param {ModelAnswer} answer */
function contentOf({ text, calls }) {
  return [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input })),
  ];
}

/** @param {ModelAnswer} answer */
function messageOf(answer) {
  const { id, model, calls, usage } = answer;
  return {
    ...{ id: `msg_${id}`, type: "message", role: "assistant", model, content: contentOf(answer) },
    ...{ stop_reason: calls.length === 0 ? "end_turn" : "tool_use", stop_sequence: null },
    usage: {
      ...{ input_tokens: usage.input - usage.cached, output_tokens: usage.output },
      ...{ cache_read_input_tokens: usage.cached, cache_creation_input_tokens: 0 },
    },
  };
}

/** Format of Anthropic's messages. @type {ModelFormat} */
export const messages = {
  serves: (path) => path.endsWith("/messages"),
  read: (body) => ({
    ...{ model: body.model, isStreamed: body.stream === true },
    tools: (body.tools ?? []).map((/** @type {any} */ { name }) => name),
    messages: body.messages.flatMap(messagesOf),
  }),
  whole: messageOf,
  streamed(answer) {
    const { usage, stop_reason, ...message } = messageOf(answer);
    const begun = { ...message, content: [], stop_reason: null, usage };
    return [
      eventOf({ type: "message_start", message: begun }),
      ...contentOf(answer).flatMap((block, index) => {
        const [content_block, delta] =
          "input" in block
            ? [
                { ...block, input: {} },
                { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
              ]
            : [
                { type: "text", text: "" },
                { type: "text_delta", text: answer.text },
              ];
        return [
          eventOf({ type: "content_block_start", index, content_block }),
          eventOf({ type: "content_block_delta", index, delta }),
          eventOf({ type: "content_block_stop", index }),
        ];
      }),
      eventOf({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage }),
      eventOf({ type: "message_stop" }),
    ];
  },
};
