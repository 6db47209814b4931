import { expect, test } from "vitest";
import { getModelInfo } from "./get-model-info.ts";
import { MODEL_CATALOG } from "./model-catalog.ts";

test("a model is found by its id, a dated id and a reference", () => {
  const info = getModelInfo("claude-sonnet-4-5");
  expect(info).toMatchObject({
    provider: "anthropic",
    contextWindow: 200_000,
    maxOutput: 64_000,
    reasoning: true,
    knowledgeCutoff: "2025-01",
  });
  expect(getModelInfo("claude-sonnet-4-5-20250929")).toBe(info);
  expect(getModelInfo("anthropic/claude-sonnet-4-5")).toBe(info);
  expect(getModelInfo("gpt-5-2025-08-07")?.id).toBe("gpt-5");
});

test("an unknown model is unknown, not guessed", () => {
  for (const model of ["house-model", "gpt-5-turbo-9", "", "constructor"]) expect(getModelInfo(model)).toBeUndefined();
});

test("every entry has its own id and sensible limits", () => {
  expect(new Set(MODEL_CATALOG.map((info) => info.id)).size).toBe(MODEL_CATALOG.length);
  for (const info of MODEL_CATALOG) expect(info.maxOutput).toBeLessThan(info.contextWindow);
});
