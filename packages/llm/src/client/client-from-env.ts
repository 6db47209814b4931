import type { Client } from "@switchyard/contracts";
import { createClient } from "./create-client.ts";
import { type ClientFromEnvOptions, type EnvironmentRecord, providersFromEnv } from "./providers-from-env.ts";

/**
 * Creates a client for the providers configured in environment variables. Keys: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`,
 * `GEMINI_API_KEY` or `GOOGLE_API_KEY`, `OPENROUTER_API_KEY`; optional: `*_BASE_URL`, `OPENAI_ORG_ID` and
 * `OPENAI_PROJECT_ID`. Servers without keys: `OLLAMA_BASE_URL`, `VLLM_BASE_URL`, `LLAMA_CPP_BASE_URL` (each with its
 * usual local address as default) and `OPENAI_COMPATIBLE_BASE_URL`. The first configured provider is the default.
 * Connects through `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. A request to a provider without a key fails with
 * `model.missing_key`, without an address with `model.missing_address`. See unified-llm-client: client.
 */
export function clientFromEnv(env: EnvironmentRecord, options: ClientFromEnvOptions = {}): Client {
  const { defaultProvider, ...settings } = options;
  const { preferred, ...found } = providersFromEnv(env, settings);
  return createClient({ ...found, defaultProvider: defaultProvider ?? preferred[0] });
}
