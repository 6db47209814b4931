import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type Part,
  textMessage,
  textOf,
} from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { createAnthropicProvider, createClient } from "../../index.ts";
import type { Cassette } from "../cassette.ts";
import { type RecordedModelOptions, startRecordedModel } from "./start-recorded-model.ts";

const TOOLS = [{ name: "shell", description: "Runs a command.", parameters: { type: "object", properties: {} } }];
const CALL: Part = { type: "tool_call", id: "c1", name: "shell", arguments: '{"command":"true"}' };
const FIRST = { model: "m", messages: [textMessage("user", "in /tmp/run-1, do it")], tools: TOOLS };
const SECOND: ModelRequest = {
  ...FIRST,
  messages: [
    ...FIRST.messages,
    { role: "assistant", parts: [CALL] },
    { role: "tool", parts: [{ type: "tool_result", toolCallId: "c1", name: "shell", content: "ok", isError: false }] },
  ],
};

function answer(...parts: Part[]): ModelResponse {
  const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 };
  const finishReason = { unified: "stop" as const };
  return {
    id: "r",
    model: "m",
    provider: "anthropic",
    message: { role: "assistant", parts },
    finishReason,
    usage,
    warnings: [],
  };
}

const EXACT_CHUNKS = "exactly 24 characters …!";
const CASSETTE: Cassette = {
  header: { format: "switchyard/cassette", version: 1, description: "Two calls", model: "m" },
  calls: [
    { request: FIRST, response: answer({ type: "text", text: EXACT_CHUNKS }, CALL) },
    { request: SECOND, response: answer({ type: "text", text: "Done." }) },
  ],
};

/** Replaces the folder of a run, which differs between runs. */
const normalise = (text: string): string => text.replace(/run-\d/g, "<run>");

/** Starts the server and a client of it. */
async function open(cassette: Cassette, options: Partial<RecordedModelOptions> = {}) {
  const server = await startRecordedModel(cassette, { normalise, paceMs: 0, isUpdating: false, ...options });
  const anthropic = createAnthropicProvider({ apiKey: "test-key-that-is-not-real", baseUrl: server.baseUrl });
  const client: Client = createClient({ providers: { anthropic }, defaultProvider: "anthropic" });
  onTestFinished(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });
  const send = async (request: ModelRequest): Promise<ModelResponse | undefined> => {
    let response: ModelResponse | undefined;
    for await (const event of client.stream(request)) if (event.type === "finish") response = event.response;
    return response;
  };
  return { server, client, send };
}

/** Returns the cassette with the requests as the server decodes them. */
async function recorded(): Promise<Cassette> {
  const { server, send } = await open(CASSETTE, { isUpdating: true });
  await send(FIRST);
  await send(SECOND);
  server.assertFinished();
  return {
    ...CASSETTE,
    calls: CASSETTE.calls.map((call, at) => ({ ...call, request: server.requests[at] ?? call.request })),
  };
}

async function failureOf(promise: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (EngineError.is(error)) return error;
  throw new Error("The call did not fail.", { cause: error });
}

test("recorded calls are answered in order with text, tool calls and usage", async () => {
  const { server, send } = await open(await recorded(), { paceMs: 1 });
  const first = await send(FIRST);
  expect(first && textOf(first.message)).toBe(EXACT_CHUNKS);
  expect(first).toMatchObject({
    message: { parts: [{ type: "text" }, CALL] },
    finishReason: { unified: "tool_calls" },
    usage: { inputTokens: 7, outputTokens: 3 },
  });
  expect(await send(SECOND)).toMatchObject({ finishReason: { unified: "stop" } });
  expect(() => server.assertFinished()).not.toThrow();
});

test("a request may differ from the recording only in normalised parts", async () => {
  const cassette = await recorded();
  const same = await open(cassette);
  await same.send({ ...FIRST, messages: [textMessage("user", "in /tmp/run-2, do it")] });
  expect(() => same.server.assertFinished()).toThrow(/^1 recorded model calls were never made/);

  const other = await open(cassette);
  const error = await failureOf(other.send({ ...FIRST, messages: [textMessage("user", "in /tmp/run-1, do more")] }));
  expect(error).toMatchObject({ code: "llm.invalid_request", retryable: false });
  expect(error.message).toContain("Model call 1 does not match the recording");
  // The first difference is reported, even if later calls match.
  await failureOf(other.send(FIRST));
  expect(() => other.server.assertFinished()).toThrow(/^Model call 1 does not match/);
});

test("a call after the last recorded one is an error", async () => {
  const { server, send } = await open({ ...CASSETTE, calls: [] });
  expect((await failureOf(send(FIRST))).message).toContain("Model call 1 is not in the recording");
  expect(() => server.assertFinished()).toThrow(/which has 0 calls/);
});

test("a recorded call that failed cannot be replayed, and the error names its number", async () => {
  const { calls } = await recorded();
  const { send } = await open({ ...CASSETTE, calls: calls.map(({ request }) => ({ request })) });
  expect((await failureOf(send(FIRST))).message).toContain("Model call 1 does not match");
});

test("a request that cannot be decoded and one over 16 MiB are errors of the recording", async () => {
  const text = "x".repeat(1024 * 1024);
  for (const [body, problem] of [
    ["{", "JSON"],
    [
      JSON.stringify({ model: "m", messages: Array.from({ length: 17 }, () => ({ role: "user", content: text })) }),
      "too large",
    ],
  ] as const) {
    const { server } = await open(CASSETTE);
    const response = await fetch(`${server.baseUrl}/messages`, { method: "POST", body });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(problem)]);
    expect(() => server.assertFinished()).toThrow(problem);
    expect(() => server.assertFinished()).toThrow(expect.objectContaining({ code: "cassette.mismatch" }));
  }
  const { server } = await open(CASSETTE, { isUpdating: true });
  const messages = Array.from({ length: 15 }, () => ({ role: "user", content: text }));
  const response = await fetch(`${server.baseUrl}/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages }),
  });
  expect(response.status).toBe(200);
  await response.text();
});
