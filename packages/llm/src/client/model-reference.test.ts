import { expect, test } from "vitest";
import { parseModelReference } from "./model-reference.ts";

test.each([
  ["openai/gpt-5.1", "openai", "gpt-5.1"],
  ["openrouter/meta-llama/llama-4:free", "openrouter", "meta-llama/llama-4:free"],
  [" anthropic/claude-sonnet-4-5 ", "anthropic", "claude-sonnet-4-5"],
])("%s names a provider and a model", (text, provider, model) => {
  expect(parseModelReference(text)).toEqual({ provider, model });
});

test.each(["", "gpt-5", "/gpt-5", "openai/", "open ai/x", "openai/a b", "openai//x", "openai/x/"])(
  "%j is not a valid reference",
  (text) => {
    expect(() => parseModelReference(text)).toThrow(/is not a model reference/);
  },
);
