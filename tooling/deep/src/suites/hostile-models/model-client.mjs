// @ts-check
import { createAnthropicProfile, createGeminiProfile, createOpenAiProfile } from "@switchyard/agent";
import {
  createAnthropicProvider,
  createClient,
  createGeminiProvider,
  createOpenAiCompatibleProvider,
  createOpenAiProvider,
  withCost,
} from "@switchyard/llm";

/** @import { Client } from "@switchyard/contracts" */
/** @import { ProviderProfile } from "@switchyard/agent" */
/** @import { ProviderOptions } from "@switchyard/llm" */
/** @import { ModelApi } from "@switchyard/testkit" */

/** Prices of the model, in US dollars per million tokens. */
export const PRICES = { input: 3, output: 15 };

/** Provider names in clients and requests. */
const PROVIDERS = { "openai-chat": "house", openai: "openai", anthropic: "anthropic", gemini: "gemini" };

/**
 * Creates a client of one API, without retries, that adds costs to responses and failures.
 * @param {ModelApi} api
 * @param {Omit<ProviderOptions, "apiKey"> & { baseUrl: string }} options
 * @returns {Client}
 */
export function createModelClient(api, options) {
  const provider = PROVIDERS[api];
  const client = createClient({ providers: { [provider]: createProvider(api, options) }, defaultProvider: provider });
  return withCost(client, { prices: { hostile: PRICES }, listPrices: false });
}

/**
 * @param {ModelApi} api
 * @param {Omit<ProviderOptions, "apiKey"> & { baseUrl: string }} options
 */
function createProvider(api, options) {
  const apiKey = "sk-test";
  switch (api) {
    case "openai-chat":
      return createOpenAiCompatibleProvider({ ...options, apiKey, name: PROVIDERS[api] });
    case "openai":
      return createOpenAiProvider({ ...options, apiKey });
    case "anthropic":
      return createAnthropicProvider({ ...options, apiKey });
    case "gemini":
      return createGeminiProvider({ ...options, apiKey });
  }
}

/**
 * @param {ModelApi} api
 * @param {boolean} isStreamed
 * @returns {ProviderProfile}
 */
export function createModelProfile(api, isStreamed) {
  const options = { model: "hostile", provider: PROVIDERS[api], supportsStreaming: isStreamed };
  if (api === "anthropic") return createAnthropicProfile(options);
  return api === "gemini" ? createGeminiProfile(options) : createOpenAiProfile(options);
}
