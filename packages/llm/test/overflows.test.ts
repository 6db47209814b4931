import { type Client, EngineError, type RetryNotice } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider, withRetry } from "../src/index.ts";
import { ask, clientOf, collect, FAMILIES } from "./families.ts";
import { answerJson, answerSse, type Handler, type LoopbackServer, sse, startServer } from "./loopback-server.ts";
import { COMPLETE, refusal, streamOf } from "./wire-answers.ts";

async function failureOf(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.catch((failure: unknown) => failure);
  if (EngineError.is(error)) return error;
  throw new Error("it did not fail as it should", { cause: error });
}

function house(server: LoopbackServer): Client {
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  return createClient({ providers: { house: provider }, defaultProvider: "house" });
}

async function failures(handler: Handler): Promise<readonly EngineError[]> {
  await using server = await startServer(handler);
  const client = house(server);
  return [await failureOf(client.complete(ask("m"))), await failureOf(collect(client.stream(ask("m"))))];
}

const CHUNKS = sse([{ choices: [{ delta: { content: "Hel" } }] }]);

describe("context overflow over the wire", () => {
  test.each<readonly [string, Handler]>([
    [
      "xAI's error, a text",
      answerJson(
        { code: "400", error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens." },
        400,
      ),
    ],
    ["z.ai's code", answerJson({ error: { code: "1261", message: "Prompt exceeds max length" } }, 400)],
    [
      "a text that is not JSON",
      answerJson(
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`",
        422,
      ),
    ],
    [
      "llama.cpp's 500",
      answerJson({ error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } }, 500),
    ],
    [
      "LiteLLM's 5xx",
      answerJson(
        {
          error: {
            message:
              'litellm.InternalServerError: OpenAIException - {"error":{"message":"prompt is too long: 200480 tokens > 200000 maximum"}}',
            code: "500",
          },
        },
        503,
      ),
    ],
    [
      "FastAPI's detail",
      answerJson(
        {
          detail: [
            { loc: ["body"], msg: "The input (9000 tokens) is longer than the model's context length (8192 tokens)." },
          ],
        },
        422,
      ),
    ],
    [
      "Mistral's message in an object",
      answerJson(
        {
          object: "error",
          message: {
            detail: [
              {
                msg: "Prompt contains 150000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
              },
            ],
          },
        },
        400,
      ),
    ],
    [
      "what OpenRouter quotes of the provider",
      answerJson(
        {
          error: {
            message: "Provider returned error",
            code: 400,
            metadata: {
              raw: '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
              provider_name: "Anthropic",
            },
          },
        },
        400,
      ),
    ],
    [
      "MiniMax's report under 200",
      answerJson({
        choices: null,
        base_resp: { status_code: 2013, status_msg: "invalid params, context window exceeds limit" },
      }),
    ],
    [
      "an error event in a stream",
      (response) =>
        void response
          .writeHead(200, { "content-type": "text/event-stream" })
          .end(`${CHUNKS}data: {"error":{"message":"Your input exceeds the context window of this model."}}\n\n`),
    ],
  ])("is told by %s", async (name, handler) => {
    const [completed, streamed] = await failures(handler);
    if (!name.includes("stream")) expect(completed?.code).toBe("llm.context_length");
    expect(streamed?.code).toBe("llm.context_length");
    expect(streamed?.retryable).toBe(false);
  });

  test("text of the request that is repeated in an error does not count", async () => {
    const input = "What does 'prompt is too long' mean?";
    const body = { detail: [{ loc: ["body", "temperature"], msg: "Input should be a valid number", input }] };
    for (const { code } of await failures(answerJson(body, 422))) expect(code).toBe("llm.invalid_request");
  });
});

describe.each(FAMILIES)("max_tokens above the limit of $family", ({ family, model, base }) => {
  const requested = { maxTokens: 20_000 };

  function limitedTo(limit: number): Handler {
    return (response, request) => {
      const steps =
        family === "gemini"
          ? ["generationConfig", "maxOutputTokens"]
          : [family === "openai" ? "max_output_tokens" : "max_tokens"];
      const sent = Number(request.at(...steps));
      const body = refusal(
        family,
        `max_tokens is too large: ${sent}. This model supports at most ${limit} completion tokens, whereas you provided ${sent}.`,
      );
      if (sent > limit || Number.isNaN(sent)) answerJson(body, 400)(response, request);
      else if (request.path.includes("stream") || request.at("stream") === true)
        answerSse(streamOf(family, ["Hello"]))(response, request);
      else answerJson(COMPLETE[family])(response, request);
    };
  }

  test("is lowered once to the limit and the call repeated, which is reported and remembered", async () => {
    await using server = await startServer(limitedTo(4096));
    const client = withRetry(clientOf(family, `${server.url}${base}`));
    const notices: RetryNotice[] = [];
    const onRetry = (notice: RetryNotice): void => void notices.push(notice);
    await client.complete(ask(model, "hi", { ...requested, onRetry }));
    expect(server.requests).toHaveLength(2);
    expect(notices).toMatchObject([{ attempt: 1, delayMs: 0, error: { code: "llm.invalid_request" } }]);
    expect((await collect(client.stream(ask(model, "hi", requested)))).at(-1)?.type).toBe("finish");
    expect(server.requests).toHaveLength(3);
  });

  test("is lowered in a stream too", async () => {
    await using server = await startServer(limitedTo(4096));
    const client = withRetry(clientOf(family, `${server.url}${base}`));
    const events = await collect(client.stream(ask(model, "hi", requested)));
    expect(events.filter(({ type }) => type === "stream_start").length).toBeLessThan(2);
    expect(events.at(-1)?.type).toBe("finish");
    expect(server.requests).toHaveLength(2);
  });

  test("fails as an invalid request when the lowered one is refused too", async () => {
    const body = refusal(
      family,
      "max_tokens must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model",
    );
    await using server = await startServer(answerJson(body, 400));
    const error = await failureOf(
      withRetry(clientOf(family, `${server.url}${base}`)).complete(ask(model, "hi", requested)),
    );
    expect(error.code).toBe("llm.invalid_request");
    expect(error.details["maxOutputTokens"]).toBe(16_384);
    expect(server.requests).toHaveLength(2);
  });
});

test("tokens to think are counted when the limit is lowered", async () => {
  await using server = await startServer((response, request) => {
    const sent = Number(request.at("max_tokens"));
    const body = refusal(
      "anthropic",
      `max_tokens: ${sent} > 64000, which is the maximum allowed number of output tokens for house-model`,
    );
    answerJson(sent > 64_000 ? body : COMPLETE.anthropic, sent > 64_000 ? 400 : 200)(response, request);
  });
  const client = withRetry(clientOf("anthropic", `${server.url}/v1`));
  await client.complete(ask("house-model", "hi", { maxTokens: 60_000, reasoningEffort: "high" }));
  expect(server.requests.map((request) => request.at("max_tokens"))).toEqual([84_576, 64_000]);
});

describe("failures that pass by themselves", () => {
  test("an error that OpenRouter attributes to a provider is retried, and quoted", async () => {
    const body = {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: { raw: "upstream connect error", provider_name: "X" },
      },
    };
    for (const error of await failures(answerJson(body, 400))) {
      expect([error.code, error.retryable, error.details["status"]]).toEqual(["llm.server_error", true, 400]);
      expect(error.details["problem"]).toBe("Provider returned error: upstream connect error");
    }
  });

  test.each([
    ["as a page", { "content-type": "text/html" }],
    ["as plain text", { "content-type": "text/plain" }],
    ["without saying what it is", {}],
  ])("HTML under 200 %s fails immediately and says what to check", async (_, headers) => {
    const page: Handler = (response) => void response.writeHead(200, headers).end("\n<!DOCTYPE html><html></html>");
    for (const error of await failures(page)) {
      expect([error.code, error.retryable]).toEqual(["llm.invalid_response", false]);
      expect(error.message).toMatch(/web page .* base URL/);
      expect(error.remedy).toContain("base URL");
    }
  });
});
