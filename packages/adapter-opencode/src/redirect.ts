import type { ModelEndpoint, ModelRedirect } from "@switchyard/adapter-kit";
import type { ModelApi } from "@switchyard/contracts";
import type { OpencodeConfig } from "./opencode-config.ts";

/** Environment variable with the token of a redirected agent. */
const TOKEN_VARIABLE = "SWITCHYARD_MODEL_TOKEN";

/** A provider of OpenCode whose calls can be redirected. */
interface RedirectedProvider {
  /** Provider as named in a `ModelRoute`. */
  readonly provider: string;
  readonly api: ModelApi;
  /** Path that OpenCode expects at the end of the base URL. */
  readonly path: string;
}

/** Providers whose calls can be redirected, as named by OpenCode. */
const PROVIDERS: ReadonlyMap<string, RedirectedProvider> = new Map([
  ["anthropic", { provider: "anthropic", api: "anthropic-messages", path: "/v1" }],
  ["openai", { provider: "openai", api: "openai-responses", path: "" }],
  ["google", { provider: "gemini", api: "gemini", path: "/v1beta" }],
]);

function nameOf({ model = "" }: OpencodeConfig): string {
  return model.slice(0, Math.max(0, model.indexOf("/")));
}

/**
 * Redirects the model calls of OpenCode to the provider of its model with settings for that provider. All other
 * providers, and the API keys that OpenCode has stored, are not used.
 */
export const redirect: ModelRedirect<OpencodeConfig> = {
  route(config) {
    const found = PROVIDERS.get(nameOf(config));
    if (found === undefined) {
      const names = [...PROVIDERS.keys()].join(", ");
      return { apis: [], directReason: `its setting model names no provider that can be redirected (${names})` };
    }
    const { provider, api } = found;
    if (config.baseUrl === undefined && config.apiKeyEnv === undefined) return { provider, apis: [api] };
    return {
      ...{ provider, apis: [api] },
      directReason: "the settings base_url and api_key_env name another server or API key",
    };
  },
  replaces: [
    ...["OPENCODE_API_KEY", "OPENCODE_CONSOLE_TOKEN", "OPENROUTER_API_KEY"],
    ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY"],
    ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  ],
  variables: ({ token }) => ({ [TOKEN_VARIABLE]: token, OPENCODE_AUTH_CONTENT: "{}" }),
};

/** Returns the settings of a redirected OpenCode. They name the variable with the token, and do not contain the token. */
export function redirectedSettings(config: OpencodeConfig, endpoint: ModelEndpoint): Readonly<Record<string, unknown>> {
  const name = nameOf(config);
  const found = PROVIDERS.get(name);
  if (found === undefined) return {};
  const options = { baseURL: `${endpoint.baseUrl(found.api)}${found.path}`, apiKey: `{env:${TOKEN_VARIABLE}}` };
  return { enabled_providers: [name], provider: { [name]: { options } } };
}
