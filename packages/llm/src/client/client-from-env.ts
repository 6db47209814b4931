import type { Client } from "@switchyard/contracts";
import { createClient } from "./create-client.ts";
import { type ClientFromEnvOptions, type EnvironmentRecord, providersFromEnv } from "./providers-from-env.ts";

/**
 * A client of the providers whose keys are in the environment: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`
 * or `GOOGLE_API_KEY`, `OPENROUTER_API_KEY`, with `*_BASE_URL`, `OPENAI_ORG_ID` and `OPENAI_PROJECT_ID`, and of servers
 * that need no key (`OLLAMA_BASE_URL`, `VLLM_BASE_URL`, `LLAMA_CPP_BASE_URL`, `OPENAI_COMPATIBLE_BASE_URL`; but for the
 * last at their usual local address when unset). The first that the environment speaks of is the default. Connects
 * through `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. A request to one without a key fails with `model.missing_key`,
 * without an address with `model.missing_address`. unified-llm-client: client.
 */
export function clientFromEnv(env: EnvironmentRecord, options: ClientFromEnvOptions = {}): Client {
  const { defaultProvider, ...settings } = options;
  const { preferred, ...found } = providersFromEnv(env, settings);
  return createClient({ ...found, defaultProvider: defaultProvider ?? preferred[0] });
}
