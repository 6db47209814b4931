import { type Client, EngineError } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider } from "../src/index.ts";
import { ask, clientOf, collect, FAMILIES } from "./families.ts";
import { answerJson, answerSse, type Handler, sse, startServer } from "./loopback-server.ts";
import { streamOf } from "./wire-answers.ts";

async function failureOf(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.catch((failure: unknown) => failure);
  if (EngineError.is(error)) return error;
  throw new Error("it did not fail as it should", { cause: error });
}

function compatible(server: { url: string }): Client {
  const house = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  return createClient({ providers: { house }, defaultProvider: "house" });
}

/** Returns the failures of both kinds of call to a server with the Chat Completions API. */
async function failuresOf(handler: Handler): Promise<readonly EngineError[]> {
  await using server = await startServer(handler);
  const client = compatible(server);
  return [await failureOf(client.complete(ask("qwen3"))), await failureOf(collect(client.stream(ask("qwen3"))))];
}

describe.each(FAMILIES)("$family sends an error instead of a stream", ({ family, model, base }) => {
  test.each([
    ["a failure under status 200", { error: { message: "Slow down", code: 429 } }, ["llm.rate_limited", "Slow down"]],
    ["a failure in a list", [{ error: { message: "No key", code: 401 } }], ["llm.authentication", "No key"]],
    ["a failure in a word", { error: "out of memory" }, ["llm.server_error", "out of memory"]],
    ["another JSON text", { status: "ok" }, ["llm.invalid_response", "it is not a stream of events"]],
    ["half an answer", '{"id":', ["llm.invalid_response", "it is not valid JSON"]],
  ])("%s is reported as what it is [client-errors-1] [client-errors-2]", async (_, body, [code, problem]) => {
    await using server = await startServer(
      answerJson(body, 200, { "content-type": "Application/JSON; charset=utf-8" }),
    );
    const error = await failureOf(collect(clientOf(family, `${server.url}${base}`).stream(ask(model))));
    expect(error.code).toBe(code);
    expect(error.details).toMatchObject({ provider: family, problem, url: expect.stringContaining(server.url) });
  });

  test("a failure under status 200 instead of a complete response is reported as a failure", async () => {
    await using server = await startServer(answerJson({ error: { message: "Overloaded", code: 503 } }));
    const error = await failureOf(clientOf(family, `${server.url}${base}`).complete(ask(model)));
    expect([error.code, error.details["problem"]]).toEqual(["llm.server_error", "Overloaded"]);
  });

  test("events are read regardless of their names", async () => {
    const events = sse(streamOf(family, ["Hel", "lo"]));
    for (const type of ["application/json", "TEXT/Event-Stream"]) {
      await using server = await startServer(
        (response) => void response.writeHead(200, { "content-type": type }).end(events),
      );
      const all = await collect(clientOf(family, `${server.url}${base}`).stream(ask(model)));
      expect(all.at(-1)?.type).toBe("finish");
    }
  });

  test("a web page is recognised in any case", async () => {
    await using server = await startServer(
      (response) => void response.writeHead(200, { "content-type": "Text/HTML" }).end("<html>portal</html>"),
    );
    const error = await failureOf(collect(clientOf(family, `${server.url}${base}`).stream(ask(model))));
    expect(error.code).toBe("llm.invalid_response");
    expect(error.message).toContain("web page");
  });
});

test("failures in a list are read, their waits and quotas too", async () => {
  const details = [{ violations: [{ quotaId: "GenerateRequestsPerDayPerProject" }] }, { retryDelay: "40s" }];
  const error = { code: 429, message: "You exceeded your quota", status: "RESOURCE_EXHAUSTED", details };
  for (const failure of await failuresOf(answerJson([{ error }], 429))) {
    expect(failure.code).toBe("llm.quota_exceeded");
    expect(failure.details).toMatchObject({ problem: "You exceeded your quota", retryAfterMs: 40_000 });
  }
});

test.each([
  ["llama.cpp", "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it"],
  ["llama.cpp by its kind", "too much", "exceed_context_size_error"],
  ["Anthropic", "input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000"],
  ["vLLM", "The decoder prompt (length 9000) is longer than the maximum model length of 4096."],
  ["OpenAI", "Your input exceeds the context window of this model.", "context_length_exceeded"],
])(
  "a conversation that is too long is recognised by the error text of %s [client-errors-1]",
  async (_, message, type = "BadRequest") => {
    for (const error of await failuresOf(answerJson({ error: { message, type } }, 400))) {
      expect(error.code).toBe("llm.context_length");
    }
  },
);

test.each([
  [{ error: "CUDA error: out of memory" }, "llm.server_error", "CUDA error: out of memory"],
  [{ error: { code: 429 } }, "llm.rate_limited", "no explanation was given"],
])("a failure within a stream is reported, whatever its shape: %j", async (event, code, problem) => {
  for (const before of [[], [{ choices: [{ index: 0, delta: { content: "Hel" } }] }]]) {
    await using server = await startServer(answerSse([...before, event]));
    const error = await failureOf(collect(compatible(server).stream(ask("qwen3"))));
    expect(error.code).toBe(code);
    expect(error.details["problem"]).toBe(problem);
  }
});

test("the failure of a server's upstream is not a response of the server", async () => {
  const choice = (error: object): object => ({ index: 0, finish_reason: "error", error });
  const choices: readonly [object, string, string][] = [
    [choice({ code: 502, message: "Upstream died" }), "llm.server_error", "Upstream died"],
    [choice({ code: 429, message: "Slow down" }), "llm.rate_limited", "Slow down"],
  ];
  for (const [body, code, problem] of choices) {
    const delta = { content: "" };
    const chunks = [{ choices: [{ index: 0, delta: { content: "Hel" } }] }, { choices: [{ ...body, delta }] }];
    const [completed, streamed] = await failuresOf((response, request) => {
      if (request.at("stream") === true) answerSse(chunks)(response, request);
      else answerJson({ id: "1", choices: [{ ...body, message: { role: "assistant", ...delta } }] })(response, request);
    });
    for (const error of [completed, streamed]) expect(error).toMatchObject({ code, details: { problem } });
  }
});
