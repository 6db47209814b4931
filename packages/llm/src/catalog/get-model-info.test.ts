import { expect, test } from "vitest";
import { getModelInfo } from "./get-model-info.ts";
import { getDefaultModel, getLatestModel, listModels } from "./list-models.ts";
import { MODEL_CATALOG } from "./model-catalog.ts";
import type { ModelPrices } from "./model-info.ts";
import data from "./models.json" with { type: "json" };

test("a model is found by its id, a dated id, an alias and a reference [client-catalog-2]", () => {
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
  expect(getModelInfo("gpt-5.6")?.id).toBe("gpt-5.6-sol");
});

test("an unknown model is unknown, not guessed [client-catalog-2]", () => {
  for (const model of ["house-model", "gpt-5-turbo-9", "", "constructor"]) expect(getModelInfo(model)).toBeUndefined();
});

test("every entry of the data file is in the catalog, with a unique id and plausible limits [client-catalog-1]", () => {
  expect(MODEL_CATALOG).toHaveLength(data.models.length);
  const names = MODEL_CATALOG.flatMap((info) => [info.id, ...(info.aliases ?? [])]);
  expect(new Set(names).size).toBe(names.length);
  for (const info of MODEL_CATALOG) expect(info.maxOutput).toBeLessThan(info.contextWindow);
});

test("every price has its source and date, is more than 0, and is higher for a long request", () => {
  const check = (prices: ModelPrices): void => {
    expect(prices.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(prices.source).toMatch(/^https:\/\/(developers\.openai|platform\.openai|platform\.claude|ai\.google)\./);
    const { input = 0, output = 0, cacheRead = input / 2, cacheWrite = input, long } = prices;
    expect(input).toBeGreaterThan(0);
    expect(output).toBeGreaterThan(input);
    expect(cacheRead).toBeLessThan(input);
    expect(cacheWrite).toBeGreaterThanOrEqual(input);
    if (long?.input !== undefined) expect(long.input).toBeGreaterThan(input);
    if (prices.next !== undefined) check(prices.next);
  };
  for (const { prices } of MODEL_CATALOG) if (prices !== undefined) check(prices);
});

test("models are listed by provider and by capability, the newest first [client-catalog-2]", () => {
  expect(new Set(listModels({ provider: "gemini" }).map((info) => info.provider))).toEqual(new Set(["gemini"]));
  expect(listModels()).toHaveLength(MODEL_CATALOG.length);
  expect(listModels({ capability: "reasoning" }).some((info) => info.id === "gpt-4.1")).toBe(false);
  expect(getLatestModel("openai", "reasoning")).toBe(listModels({ provider: "openai" })[0]);
  expect(getLatestModel("nobody")).toBeUndefined();
});

test("the default model of a provider is a current one, has a price and is not the most expensive", () => {
  for (const provider of ["openai", "anthropic", "gemini"]) {
    const chosen = getDefaultModel(provider);
    for (const kind of ["input", "output"] as const) {
      const amounts = listModels({ provider }).flatMap(({ prices }) => prices?.[kind] ?? []);
      expect(chosen?.prices?.[kind], `${provider} ${kind}`).toBeLessThan(Math.max(...amounts));
    }
    expect(chosen?.prices?.asOf?.slice(0, 4), provider).toBe("2026");
  }
  expect(getDefaultModel("nobody")).toBeUndefined();
});
