// @ts-check
import { nextAnswer } from "./next-answer.mjs";

/** @import { Client, ModelRequest, ModelResponse, StreamEvent, Usage } from "@switchyard/contracts" */
/** @import { Scenario } from "./scenario.mjs" */

/**
 * Observer of the model's calls.
 * @typedef {{ onCall?: () => void, onAnswer?: (id: string, usage: Usage) => void }} ModelObserver
 */

/**
 * Creates a client whose responses depend on the conversation only: no network, no state, no randomness.
 * @param {Scenario} scenario
 * @param {ModelObserver} [observer]
 * @returns {Client}
 */
export function createScriptedModel(scenario, observer = {}) {
  /**
   * @param {ModelRequest} request
   * @returns {ModelResponse}
   */
  function respond(request) {
    observer.onCall?.();
    const response = toResponse(scenario, request);
    observer.onAnswer?.(response.id, response.usage);
    return response;
  }
  return {
    complete: async (request) => respond(request),
    stream: (request) => eventsOf(respond(request)),
    close: async () => {},
  };
}

/**
 * @param {Scenario} scenario
 * @param {ModelRequest} request
 * @returns {ModelResponse}
 */
function toResponse(scenario, { model, messages }) {
  const { id, parts, isLast, usage } = nextAnswer(scenario, messages);
  const origin = { provider: "scripted", model };
  return {
    id,
    ...origin,
    message: { role: "assistant", parts, origin },
    finishReason: { unified: isLast ? "stop" : "tool_calls" },
    usage: { ...usage, responseId: id },
    warnings: [],
  };
}

/**
 * @param {ModelResponse} response
 * @returns {AsyncGenerator<StreamEvent, void, undefined>}
 */
async function* eventsOf(response) {
  yield { type: "stream_start", id: response.id, model: response.model };
  for (const part of response.message.parts) {
    if (part.type === "text") {
      yield { type: "text_start", textId: "text" };
      yield { type: "text_delta", textId: "text", text: part.text };
      yield { type: "text_end", textId: "text" };
    } else if (part.type === "tool_call") {
      const { id: callId, name } = part;
      yield { type: "tool_call_start", callId, name };
      yield { type: "tool_call_delta", callId, argumentsDelta: part.arguments };
      yield { type: "tool_call_end", callId, name, arguments: part.arguments };
    }
  }
  yield { type: "finish", response };
}
