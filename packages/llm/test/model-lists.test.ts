import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { listOfferedModels } from "../src/index.ts";
import { answerJson, type Handler, startServer } from "./loopback-server.ts";

const KEY = "sk-test-0123456789abcdefghij";

/** Returns the responses in turn. */
function inTurn(...answers: readonly Handler[]): Handler {
  const left = [...answers];
  return (response, request) => left.shift()?.(response, request);
}

const CASES = [
  {
    provider: "openai",
    env: { OPENAI_API_KEY: KEY },
    header: ["authorization", `Bearer ${KEY}`],
    paths: ["/models"],
    answers: [{ object: "list", data: [{ id: "gpt-6.2-sol", object: "model" }, { object: "model" }] }],
    models: [{ id: "gpt-6.2-sol" }],
  },
  {
    provider: "anthropic",
    env: { ANTHROPIC_API_KEY: KEY },
    header: ["x-api-key", KEY],
    paths: ["/models?limit=1000", "/models?limit=1000&after_id=claude-a"],
    answers: [
      { data: [{ id: "claude-a", display_name: "A", max_input_tokens: 0 }], has_more: true, last_id: "claude-a" },
      {
        data: [{ id: "claude-b", max_input_tokens: 1_000_000, max_tokens: 128_000 }],
        has_more: false,
        last_id: "claude-b",
      },
    ],
    models: [
      { id: "claude-a", displayName: "A" },
      { id: "claude-b", contextWindow: 1_000_000, maxOutput: 128_000 },
    ],
  },
  {
    provider: "gemini",
    env: { GEMINI_API_KEY: KEY },
    header: ["x-goog-api-key", KEY],
    paths: ["/models?pageSize=1000", "/models?pageSize=1000&pageToken=a%2Fb"],
    answers: [
      {
        models: [
          { name: "models/gemini-x", inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 },
          { name: "models/embedding-1", supportedGenerationMethods: ["embedContent"] },
        ],
        nextPageToken: "a/b",
      },
      { models: [{ name: "models/gemini-y", supportedGenerationMethods: ["generateContent"] }] },
    ],
    models: [{ id: "gemini-x", contextWindow: 1_048_576, maxOutput: 65_536 }, { id: "gemini-y" }],
  },
  {
    provider: "openrouter",
    env: { OPENROUTER_API_KEY: KEY },
    header: ["authorization", `Bearer ${KEY}`],
    paths: ["/models"],
    answers: [{ data: [{ id: "qwen/qwen3", name: "Qwen3", context_length: 131_072 }] }],
    models: [{ id: "qwen/qwen3", displayName: "Qwen3", contextWindow: 131_072 }],
  },
] as const;

test.each(CASES)("lists the models of $provider, page by page, with the key in a header", async (example) => {
  const { provider, env, header, paths, answers, models } = example;
  await using server = await startServer(inTurn(...answers.map((answer) => answerJson(answer))));
  const offered = await listOfferedModels(provider, env, { baseUrls: { [provider]: server.url } });
  expect(offered).toEqual(models.map((model) => expect.objectContaining(model)));
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(paths.map((path) => `GET ${path}`));
  const [name, value] = header;
  for (const { headers } of server.requests) expect(headers[name]).toBe(value);
});

test("a provider without a key is not asked, an unknown one is refused", async () => {
  expect(await listOfferedModels("anthropic", { OPENAI_API_KEY: KEY })).toBeUndefined();
  await expect(listOfferedModels("nobody", {})).rejects.toMatchObject({ code: "model.unknown_provider" });
  await expect(listOfferedModels("openai-compatible", {})).rejects.toMatchObject({ code: "model.missing_address" });
});

test.each([
  [answerJson({ error: { message: `bad key ${KEY}`, type: "invalid_request_error" } }, 401), "llm.authentication"],
  [answerJson({ error: { message: "slow down" } }, 429, { "retry-after": "7" }), "llm.rate_limited"],
  [answerJson("<html>", 200), "llm.invalid_response"],
  [answerJson({ hello: 1 }, 200), "llm.invalid_response"],
  [answerJson("", 302, { location: "http://127.0.0.1:9/models" }), "llm.invalid_request"],
] as const)(
  "a refused or unreadable list is an error of the table without the key in it: %#",
  async (handler, code) => {
    await using server = await startServer(handler);
    const listing = listOfferedModels("openai", { OPENAI_API_KEY: KEY }, { baseUrls: { openai: server.url } });
    const error = await listing.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code });
    expect(EngineError.is(error) && JSON.stringify(error.toWire())).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  },
);

test("a server that repeats its cursor and one that never responds are abandoned", async () => {
  await using server = await startServer(answerJson({ data: [{ id: "m" }], has_more: true, last_id: "m" }));
  const options = { baseUrls: { anthropic: server.url } };
  expect(await listOfferedModels("anthropic", { ANTHROPIC_API_KEY: KEY }, options)).toHaveLength(2);
  await using silent = await startServer(() => undefined);
  const waits = { baseUrls: { anthropic: silent.url }, timeouts: { requestMs: 20 } };
  const listing = listOfferedModels("anthropic", { ANTHROPIC_API_KEY: KEY }, waits);
  await expect(listing).rejects.toMatchObject({ code: "llm.request_timeout" });
});
