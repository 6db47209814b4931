import { EngineError, type ModelRequest, type ModelResponse, NO_USAGE } from "@switchyard/contracts";
import { expect, test } from "vitest";
import type { LlmProvider } from "../provider/llm-provider.ts";
import { clientFromEnv } from "./client-from-env.ts";
import { createClient } from "./create-client.ts";

function echo(family: string): LlmProvider & { requests: ModelRequest[]; closed: number } {
  const provider = {
    family,
    requests: [] as ModelRequest[],
    closed: 0,
    async complete(request: ModelRequest): Promise<ModelResponse> {
      provider.requests.push(request);
      const message = { role: "assistant" as const, parts: [] };
      return {
        id: "1",
        model: request.model,
        provider: request.provider ?? "?",
        message,
        finishReason: { unified: "stop" },
        usage: { ...NO_USAGE },
        warnings: [],
      };
    },
    async *stream(request: ModelRequest) {
      yield { type: "finish" as const, response: await provider.complete(request) };
    },
    close: async () => {
      provider.closed += 1;
    },
  };
  return provider;
}

const REQUEST: ModelRequest = { model: "vendor/some:model", messages: [] };
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a request goes to its named provider, else to the default, with an unchanged model name [client-client-1]", async () => {
  const [one, two] = [echo("a"), echo("b")];
  const client = createClient({ providers: { one, two }, defaultProvider: "one" });
  expect((await client.complete(REQUEST)).provider).toBe("one");
  for await (const event of client.stream({ ...REQUEST, provider: "two" })) expect(event.type).toBe("finish");
  expect(two.requests[0]).toMatchObject({ provider: "two", model: "vendor/some:model" });
});

test("without a default a request must name its provider: it is never guessed [client-client-2]", async () => {
  const error = await failure(createClient({ providers: { one: echo("a") } }).complete(REQUEST));
  expect(error).toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("the request names no provider"),
  });
});

test("an unknown provider is named with the known ones, also from a stream", async () => {
  const client = createClient({ providers: { one: echo("a") }, missingKeys: { two: "TWO_KEY" } });
  const read = async (): Promise<void> => {
    for await (const _ of client.stream({ ...REQUEST, provider: "constructor" }));
  };
  expect(await failure(read())).toMatchObject({
    message: "No model provider is named constructor. Known providers: one, two.",
  });
});

test("closing closes the providers [client-client-7]", async () => {
  const one = echo("a");
  await createClient({ providers: { one } }).close();
  expect(one.closed).toBe(1);
});

test.each([
  ["openai", "OPENAI_API_KEY"],
  ["anthropic", "ANTHROPIC_API_KEY"],
  ["gemini", "GEMINI_API_KEY or GOOGLE_API_KEY"],
])("without its key, %s is refused with the variable to set [client-client-3]", async (provider, variable) => {
  const error = await failure(clientFromEnv({ OPENAI_API_KEY: " " }).complete({ ...REQUEST, provider }));
  expect(EngineError.is(error, "model.missing_key") && error.remedy).toContain(variable);
});

test("without any key, a request that names only a model names its provider and the variable to set", async () => {
  const error = await failure(clientFromEnv({}).complete({ ...REQUEST, model: "claude-sonnet-4-5" }));
  expect(error).toMatchObject({ code: "model.missing_key", message: "No API key was found for anthropic." });
  expect(EngineError.is(error) && error.remedy).toContain("ANTHROPIC_API_KEY");
});

test("without any key, the error of a request for an unknown model names the missing provider and the possible variables", async () => {
  const error = await failure(clientFromEnv({}).complete(REQUEST));
  expect(error).toMatchObject({
    code: "model.missing_provider",
    message: expect.stringContaining("vendor/some:model"),
  });
  expect(EngineError.is(error) && error.remedy).toContain("ANTHROPIC_API_KEY");
});

test("without any key, a request without a model is an error that says so", async () => {
  const error = await failure(clientFromEnv({}).complete({ ...REQUEST, model: "" }));
  expect(error).toMatchObject({ code: "model.not_configured" });
});

test("an unusable key or address is refused without being shown [client-errors-2]", () => {
  const make = (env: Record<string, string>): unknown => {
    try {
      return clientFromEnv(env);
    } catch (error) {
      return error;
    }
  };
  const key = make({ OPENAI_API_KEY: "sk-a\nb" });
  expect(EngineError.is(key, "config.invalid") && key.message).toContain("OPENAI_API_KEY");
  expect(String(key)).not.toContain("sk-a");
  for (const url of ["localhost:8080/v1", "https://user:pw@example.com/v1", "https://example.com/v1?key=1"]) {
    const error = make({ OPENAI_API_KEY: "sk-a", OPENAI_BASE_URL: url });
    expect(EngineError.is(error, "config.invalid")).toBe(true);
    expect(String(error)).not.toContain("pw");
  }
});

test.each([
  [{ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "api.openai.com" }, "OPENAI_BASE_URL"],
  [{ ANTHROPIC_API_KEY: "k", OLLAMA_BASE_URL: "localhost:11434" }, "OLLAMA_BASE_URL"],
  [{ VLLM_BASE_URL: "http://me:word@localhost/v1" }, "VLLM_BASE_URL"],
])("an invalid address is reported with its variable: %j", (env, variable) => {
  expect(() => clientFromEnv(env)).toThrow(variable);
  const [name = ""] = variable.toLowerCase().split("_");
  expect(() => clientFromEnv(env, { baseUrls: { [name]: "http://127.0.0.1/v1" } })).not.toThrow();
});
