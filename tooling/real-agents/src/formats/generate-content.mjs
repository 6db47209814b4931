// @ts-check
import { textOf } from "./text-of.mjs";

/** @import { ModelAnswer, ModelFormat, ModelMessage } from "../model-server.mjs" */

/**
 * @param {any} content
 * @returns {ModelMessage[]}
 */
function messagesOf({ role, parts = [] }) {
  const isResult = parts.some((/** @type {object} */ part) => "functionResponse" in part);
  return [{ role: isResult ? "tool" : role === "model" ? "assistant" : "user", text: textOf(parts) }];
}

/** @param {ModelAnswer} answer */
function contentsOf({ id, model, text, calls, usage }) {
  const parts = [
    ...(text === "" ? [] : [{ text }]),
    ...calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })),
  ];
  return {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      ...{ promptTokenCount: usage.input, candidatesTokenCount: usage.output },
      ...{ totalTokenCount: usage.input + usage.output, cachedContentTokenCount: usage.cached },
    },
    ...{ modelVersion: model, responseId: id },
  };
}

/** Format of Gemini's contents. @type {ModelFormat} */
export const generateContent = {
  serves: (path) => /:(?:streamG|g)enerateContent$/u.test(path),
  read: (body, path) => ({
    ...{ model: /models\/([^/:]+):/u.exec(path)?.[1] ?? "", isStreamed: path.endsWith(":streamGenerateContent") },
    tools: (body.tools ?? []).flatMap((/** @type {any} */ tool) =>
      (tool.functionDeclarations ?? []).map((/** @type {any} */ { name }) => name),
    ),
    messages: body.contents.flatMap(messagesOf),
  }),
  whole: contentsOf,
  streamed: (answer) => [`data: ${JSON.stringify(contentsOf(answer))}\n\n`],
};
