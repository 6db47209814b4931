// @ts-check
import { createAnthropicProfile, createGeminiProfile, createOpenAiProfile } from "@switchyard/agent";
import {
  createAnthropicProvider,
  createClient,
  createGeminiProvider,
  createOpenAiCompatibleProvider,
  createOpenAiProvider,
} from "@switchyard/llm";

/** @import { Client } from "@switchyard/contracts" */
/** @import { ProviderProfile } from "@switchyard/agent" */
/** @import { ProviderOptions } from "@switchyard/llm" */
/** @import { ModelApi } from "@switchyard/testkit" */

/** Name of the provider in clients and requests. */
const PROVIDERS = { "openai-chat": "house", openai: "openai", anthropic: "anthropic", gemini: "gemini" };

/**
 * A client of one API, without retries.
 * @param {ModelApi} api
 * @param {Omit<ProviderOptions, "apiKey"> & { baseUrl: string }} options
 * @returns {Client}
 */
export function createModelClient(api, options) {
  const provider = PROVIDERS[api];
  return createClient({ providers: { [provider]: createProvider(api, options) }, defaultProvider: provider });
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
 * @returns {ProviderProfile}
 */
export function createModelProfile(api) {
  const options = { model: "hostile", provider: PROVIDERS[api] };
  if (api === "anthropic") return createAnthropicProfile(options);
  return api === "gemini" ? createGeminiProfile(options) : createOpenAiProfile(options);
}
