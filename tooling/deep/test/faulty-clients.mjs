// @ts-check
// Wrong implementations of a model client, which the suite must find out. Other processes load them as well.
import { EngineError } from "@switchyard/contracts";

/** @import { Client, Message, ModelRequest, ModelResponse, Part, StreamEvent } from "@switchyard/contracts" */

/**
 * @param {(request: ModelRequest, client: Client) => AsyncGenerator<StreamEvent>} stream
 * @param {(request: ModelRequest, client: Client) => Promise<ModelResponse>} [complete]
 * @returns {(client: Client) => Client}
 */
const faulty =
  (stream, complete = (request, client) => client.complete(request)) =>
  (client) => ({
    complete: (request) => complete(request, client),
    stream: (request) => stream(request, client),
    close: () => client.close(),
  });

/**
 * @param {readonly Part[]} parts
 * @param {"tool_calls" | "stop"} unified
 * @returns {ModelResponse}
 */
function responseOf(parts, unified) {
  return {
    ...{ id: "half", model: "hostile", provider: "any", message: { role: "assistant", parts } },
    ...{ finishReason: { unified }, warnings: [] },
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  };
}

/** Executes tool calls of incomplete responses. */
export const executesHalfCalls = faulty(async function* (request, client) {
  const calls = new Map();
  try {
    for await (const event of client.stream(request)) {
      if (event.type === "tool_call_start") calls.set(event.callId, event.name);
      yield event;
    }
  } catch (error) {
    if (calls.size === 0) throw error;
    const parts = [...calls].map(([id, name]) => ({
      ...{ type: /** @type {const} */ ("tool_call"), id, name },
      arguments: '{"key":"half"}',
    }));
    yield { type: "finish", response: responseOf(parts, "tool_calls") };
  }
});

/**
 * Sends the text of incomplete responses with later requests.
 * @param {Client} client
 * @returns {Client}
 */
export function keepsPartialText(client) {
  /** @type {readonly Message[]} */
  let kept = [];
  return faulty(async function* (request, inner) {
    let text = "";
    try {
      for await (const event of inner.stream({ ...request, messages: [...kept, ...request.messages] })) {
        if (event.type === "text_delta") text += event.text;
        yield event;
      }
    } catch (error) {
      if (text !== "") kept = [{ role: "user", parts: [{ type: "text", text }] }];
      throw error;
    }
  })(client);
}

/**
 * @param {ModelResponse} response
 * @returns {ModelResponse}
 */
function twice(response) {
  const { usage } = response;
  const counted = { inputTokens: 2 * usage.inputTokens, outputTokens: 2 * usage.outputTokens };
  return { ...response, usage: { ...usage, ...counted } };
}

/** Counts the usage of each response twice. */
export const countsTwice = faulty(
  async function* (request, client) {
    for await (const event of client.stream(request)) {
      yield event.type === "finish" ? { type: "finish", response: twice(event.response) } : event;
    }
  },
  async (request, client) => twice(await client.complete(request)),
);

/**
 * Returns a client with modified failures.
 * @param {(error: EngineError) => unknown} change
 * @returns {(client: Client) => Client}
 */
function failing(change) {
  /** @param {unknown} error */
  const changed = (error) => (EngineError.is(error) ? change(error) : error);
  return faulty(
    async function* (request, client) {
      try {
        yield* client.stream(request);
      } catch (error) {
        throw changed(error);
      }
    },
    async (request, client) => {
      try {
        return await client.complete(request);
      } catch (error) {
        throw changed(error);
      }
    },
  );
}

/** Loses the usage that incomplete responses had reported. */
export const losesPartialUsage = failing(
  (error) => new EngineError(error.code, { ...error.details, usage: undefined }, { cause: error.cause }),
);

/** Loses the cost of incomplete responses. */
export const losesPartialCost = failing((error) => {
  const { usage } = error.details;
  const unpriced = typeof usage === "object" && usage !== null ? { ...usage, costMicros: undefined } : usage;
  return new EngineError(error.code, { ...error.details, usage: unpriced }, { cause: error.cause });
});

/** Retries every failure, even after part of the response was delivered. */
export const retriesAfterDelivery = faulty(async function* (request, client) {
  try {
    yield* client.stream(request);
  } catch {
    yield* client.stream(request);
  }
});

/** Ends a failed response as if it were complete. */
export const swallowsFailures = faulty(async function* (request, client) {
  try {
    yield* client.stream(request);
  } catch {
    yield { type: "finish", response: responseOf([{ type: "text", text: "Done." }], "stop") };
  }
});
