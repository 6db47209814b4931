import type { Client, Message, ModelRequest, ModelResponse, Part, StreamEvent } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { hostileModelsSuite } from "../src/suites/hostile-models/hostile-models.mjs";
import { runHostileSuite } from "../src/suites/hostile-models/run-hostile-suite.mjs";

const PATIENCE_MS = 600_000;
const log = () => undefined;

test(
  "runs and calls survive what a hostile model server does within the policy",
  async () => {
    const { quick } = hostileModelsSuite.counts;
    const { failures, figures, cases } = await hostileModelsSuite.run({ seed: 1, first: 0, count: quick, log });
    console.log(figures);
    expect(failures).toEqual([]);
    expect(cases).toBe(quick);
    expect(Number(figures["runs that completed"])).toBeGreaterThan(quick / 3);
    expect(Number(figures["processes killed"])).toBeGreaterThan(0);
    expect(figures["kinds of faults"]).toBe(11);
  },
  PATIENCE_MS,
);

type Wrap = (client: Client) => Client;
type Read = (request: ModelRequest, client: Client) => AsyncGenerator<StreamEvent>;

function streaming(stream: Read): Wrap {
  return (client) => ({
    complete: (request) => client.complete(request),
    stream: (request) => stream(request, client),
    close: () => client.close(),
  });
}

function responseOf(parts: readonly Part[]): ModelResponse {
  return {
    ...{ id: "half", model: "hostile", provider: "any", message: { role: "assistant", parts } },
    ...{ finishReason: { unified: "tool_calls" }, warnings: [] },
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  };
}

/** Takes the calls of a response that broke off for complete ones. */
const executesHalfCalls = streaming(async function* (request, client) {
  const calls = new Map<string, string>();
  try {
    for await (const event of client.stream(request)) {
      if (event.type === "tool_call_start") calls.set(event.callId, event.name);
      yield event;
    }
  } catch (error) {
    if (calls.size === 0) throw error;
    const parts = [...calls].map(
      ([id, name]): Part => ({
        ...{ type: "tool_call", id, name },
        arguments: '{"key":"half"}',
      }),
    );
    yield { type: "finish", response: responseOf(parts) };
  }
});

/** Sends the text of responses that broke off with later requests. */
function keepsPartialText(client: Client): Client {
  let kept: readonly Message[] = [];
  return streaming(async function* (request, inner) {
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

/** Counts the usage of each response twice. */
const countsTwice = streaming(async function* (request, client) {
  for await (const event of client.stream(request)) {
    if (event.type !== "finish") yield event;
    else {
      const { usage } = event.response;
      const twice = { ...usage, inputTokens: 2 * usage.inputTokens, outputTokens: 2 * usage.outputTokens };
      yield { type: "finish", response: { ...event.response, usage: twice } };
    }
  }
});

/** Retries whatever fails, also after a part of the response was delivered. */
const retriesAfterDelivery = streaming(async function* (request, client) {
  try {
    yield* client.stream(request);
  } catch {
    yield* client.stream(request);
  }
});

/** Ends a response that broke off as if it were complete. */
const swallowsFailures = streaming(async function* (request, client) {
  try {
    yield* client.stream(request);
  } catch {
    yield {
      type: "finish",
      response: { ...responseOf([{ type: "text", text: "Done." }]), finishReason: { unified: "stop" } },
    };
  }
});

test.for<readonly [string, Wrap, "run" | "client"]>([
  ["executes half tool calls", executesHalfCalls, "run"],
  ["keeps partial text in the history", keepsPartialText, "run"],
  ["counts usage twice", countsTwice, "run"],
  ["retries after a part was delivered", retriesAfterDelivery, "client"],
  ["takes a broken response for complete", swallowsFailures, "run"],
])("a client that %s is found out", { timeout: PATIENCE_MS }, async ([, wrap, kind]) => {
  const { failures } = await runHostileSuite({ seed: 1, first: 0, count: 40, log, wrap, kinds: [kind] });
  expect(failures.length).toBeGreaterThan(0);
});
