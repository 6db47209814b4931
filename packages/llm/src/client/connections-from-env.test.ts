import { expect, test } from "vitest";
import { connectionsFromEnv } from "../index.ts";

test("vendors need a key, their base URLs get a version prefix, and account headers are kept", () => {
  const { connections, proxy } = connectionsFromEnv({
    ...{ ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: "http://127.0.0.1:1/anthropic/", GEMINI_BASE_URL: "http://g" },
    ...{ OPENAI_API_KEY: "o", OPENAI_BASE_URL: "http://127.0.0.1:2/v1", OPENAI_ORG_ID: "org" },
    ...{ GOOGLE_API_KEY: " " },
  });
  expect(Object.keys(connections)).toEqual(["openai", "anthropic"]);
  expect(connections["anthropic"]).toMatchObject({
    ...{ baseUrl: "http://127.0.0.1:1/anthropic/v1", apis: ["anthropic-messages"] },
  });
  expect(connections["openai"]).toMatchObject({
    ...{ baseUrl: "http://127.0.0.1:2/v1", headers: { "openai-organization": "org" } },
  });
  expect(connections["openai"]?.apiKey?.reveal()).toBe("o");
  expect(proxy).toBeUndefined();
});

test("servers without keys need an address, and others use their default address", () => {
  const { connections } = connectionsFromEnv({ OLLAMA_BASE_URL: "http://127.0.0.1:11434/v1", OPENROUTER_API_KEY: "r" });
  expect(Object.keys(connections)).toEqual(["openrouter", "ollama"]);
  expect(connections["ollama"]).toMatchObject({ apiKey: undefined, apis: ["openai-chat"] });
  expect(connections["openrouter"]).toMatchObject({ baseUrl: "https://openrouter.ai/api/v1" });
  expect(() => connectionsFromEnv({ OPENAI_API_KEY: "o", OPENAI_BASE_URL: "nowhere" })).toThrow("OPENAI_BASE_URL");
});
