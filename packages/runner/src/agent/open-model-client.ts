import { type Client, EngineError } from "@switchyard/contracts";
import type { EnvironmentRecord } from "./model-choice.ts";
import { createPricedClient } from "./open-agent-engine.ts";

/** Placeholder API key, sent to a custom server if no key is configured. Many custom servers do not check the key. */
const PLACEHOLDER_KEY = "no-key-was-set";

/** Options of `openModelClient`. */
export interface OpenModelClientOptions {
  /** Environment variables in which the provider's key is looked up, usually `process.env`. */
  env: EnvironmentRecord;
  /** Base URL of the API. Default: the provider's. */
  baseUrl?: string | undefined;
}

/** A client, and the model for which the client was opened. */
export interface ModelClient {
  /** Client that retries calls and computes their cost from list prices. */
  client: Client;
  /** Name of the provider, from the model reference. */
  provider: string;
  /** Id of the model, from the model reference, without the provider. */
  model: string;
}

/**
 * Opens a client for single calls of one model, `provider/name`, outside the agent loop. With `baseUrl`, a missing key
 * is allowed. Rejects with `model.*` before any request is sent.
 */
export async function openModelClient(
  reference: string,
  { env, baseUrl }: OpenModelClientOptions,
): Promise<ModelClient> {
  const llm = await import("@switchyard/llm");
  const { provider, model } = llm.parseModelReference(reference);
  const open = (apiKey?: string): Client => createPricedClient(provider, { env, baseUrl, apiKey }, llm);
  let client: Client;
  try {
    client = open();
  } catch (error) {
    if (baseUrl === undefined || !EngineError.is(error, "model.missing_key")) throw error;
    client = open(PLACEHOLDER_KEY);
  }
  return { client: llm.withRetry(client), provider, model };
}
