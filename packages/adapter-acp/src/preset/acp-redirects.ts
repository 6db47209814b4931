import { type ModelRedirect, opencodeRedirect as opencode, redirectedOpencodeSettings } from "@switchyard/adapter-kit";
import type { ModelApi } from "@switchyard/contracts";
import type { AcpConfig } from "./acp-config.ts";

const KEYS: readonly string[] = [
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"],
  ...["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "CODEX_API_KEY"],
  ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
];

/**
 * Returns the redirect for an agent whose model calls cannot be redirected to the model gateway. `directReason` is the
 * reason.
 */
export function neverRedirected(directReason: string): ModelRedirect<AcpConfig> {
  return { route: () => ({ apis: [], directReason }), replaces: [], variables: () => ({}) };
}

/** For each wire format: the provider, and the environment variables that the provider's client library reads. */
const CLIENTS: Readonly<Record<ModelApi, { readonly provider: string; readonly url: string; readonly key: string }>> = {
  "anthropic-messages": { provider: "anthropic", url: "ANTHROPIC_BASE_URL", key: "ANTHROPIC_API_KEY" },
  "openai-responses": { provider: "openai", url: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  "openai-chat": { provider: "openai", url: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  gemini: { provider: "gemini", url: "GOOGLE_GEMINI_BASE_URL", key: "GEMINI_API_KEY" },
};

/**
 * Redirects the model calls of any agent that reads the address and the API key of its model from environment variables
 * of the provider's client library, such as `OPENAI_BASE_URL`. The setting `model_api` names the wire format of the
 * calls, and thereby the provider and its variables.
 */
export const clientRedirect: ModelRedirect<AcpConfig> = {
  route({ modelApi }) {
    if (modelApi === undefined) return { apis: [], directReason: "its setting model_api is not set" };
    return { provider: CLIENTS[modelApi].provider, apis: [modelApi] };
  },
  replaces: KEYS,
  variables({ baseUrl, token }, { modelApi = "openai-chat" }) {
    const { url, key } = CLIENTS[modelApi];
    return { [url]: baseUrl(modelApi), [key]: token };
  },
};

/** Redirects the model calls of Gemini CLI, which reads the address and the API key from environment variables. */
export const geminiRedirect: ModelRedirect<AcpConfig> = {
  route: () => ({ provider: "gemini", apis: ["gemini"] }),
  replaces: [
    ...KEYS,
    ...["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_APPLICATION_CREDENTIALS"],
    ...["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GEMINI_CLI_CUSTOM_HEADERS"],
  ],
  variables: ({ baseUrl, token }) => ({ GOOGLE_GEMINI_BASE_URL: baseUrl("gemini"), GEMINI_API_KEY: token }),
};

/**
 * Redirects the model calls of OpenCode. The settings for the redirection are passed in `OPENCODE_CONFIG_CONTENT`,
 * because this adapter passes no other configuration document to OpenCode.
 */
export const opencodeRedirect: ModelRedirect<AcpConfig> = {
  ...opencode,
  replaces: [...KEYS, ...opencode.replaces],
  variables: (endpoint, config, given) => ({
    ...opencode.variables(endpoint, config, given),
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      model: config.model,
      ...redirectedOpencodeSettings(config, endpoint),
    }),
  }),
};
