import type { GivenVariables, ModelEndpoint, ModelRedirect } from "@switchyard/adapter-kit";
import type { ModelApi, ModelRoute } from "@switchyard/contracts";
import type { AcpConfig } from "./acp-config.ts";

/** Environment variable with the token, for agents whose settings name the variable with the API key. */
const TOKEN_VARIABLE = "SWITCHYARD_MODEL_TOKEN";
const KEYS: readonly string[] = [
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"],
  ...["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "CODEX_API_KEY"],
  ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
];

/** Returns a redirection that always gives the same reason why the model calls cannot be redirected. */
export function neverRedirected(directReason: string): ModelRedirect<AcpConfig> {
  return { route: () => ({ apis: [], directReason }), replaces: [], variables: () => ({}) };
}

/** Providers of the wire formats, and the variables that the formats' client libraries read. */
const CLIENTS: Readonly<Record<ModelApi, { readonly provider: string; readonly url: string; readonly key: string }>> = {
  "anthropic-messages": { provider: "anthropic", url: "ANTHROPIC_BASE_URL", key: "ANTHROPIC_API_KEY" },
  "openai-responses": { provider: "openai", url: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  "openai-chat": { provider: "openai", url: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  gemini: { provider: "gemini", url: "GOOGLE_GEMINI_BASE_URL", key: "GEMINI_API_KEY" },
};

/** Redirects any agent that reads the variables of its provider's client library. `model_api` names the wire format. */
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

/** Redirects Gemini CLI, which reads the address and the API key from variables. */
export const geminiRedirect: ModelRedirect<AcpConfig> = {
  route: () => ({ provider: "gemini", apis: ["gemini"] }),
  replaces: [
    ...KEYS,
    ...["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_APPLICATION_CREDENTIALS"],
    ...["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GEMINI_CLI_CUSTOM_HEADERS"],
  ],
  variables: ({ baseUrl, token }) => ({ GOOGLE_GEMINI_BASE_URL: baseUrl("gemini"), GEMINI_API_KEY: token }),
};

/** Providers whose calls can be redirected, by the host in `COPILOT_PROVIDER_BASE_URL`. */
const COPILOT_PROVIDERS: ReadonlyMap<
  string,
  { readonly provider: string; readonly type: string; readonly api: ModelApi }
> = new Map([
  ["api.openai.com", { provider: "openai", type: "openai", api: "openai-chat" }],
  ["api.anthropic.com", { provider: "anthropic", type: "anthropic", api: "anthropic-messages" }],
]);

function copilotRoute(given: GivenVariables): ModelRoute {
  const baseUrl = given["COPILOT_PROVIDER_BASE_URL"]?.reveal() ?? "";
  if (baseUrl === "") {
    return { apis: [], directReason: "without COPILOT_PROVIDER_BASE_URL, copilot calls the models of GitHub" };
  }
  const found = URL.canParse(baseUrl) ? COPILOT_PROVIDERS.get(new URL(baseUrl).hostname) : undefined;
  const type = given["COPILOT_PROVIDER_TYPE"]?.reveal() ?? "openai";
  if (found?.type === type) return { provider: found.provider, apis: [found.api] };
  const hosts = [...COPILOT_PROVIDERS.keys()].join(", ");
  const directReason = `COPILOT_PROVIDER_BASE_URL and COPILOT_PROVIDER_TYPE name no provider that can be redirected (${hosts})`;
  return { apis: [], directReason };
}

/** Redirects Copilot CLI with its variables for a custom provider. Its offline mode needs no GitHub credentials. */
export const copilotRedirect: ModelRedirect<AcpConfig> = {
  route: (_config, given) => copilotRoute(given),
  replaces: [
    ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    ...["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
  ],
  variables({ baseUrl, token }, _config, given) {
    const [api = "openai-chat"] = copilotRoute(given).apis;
    return {
      ...{ COPILOT_PROVIDER_BASE_URL: baseUrl(api), COPILOT_PROVIDER_API_KEY: token },
      COPILOT_OFFLINE: "true",
    };
  },
};

/** Providers of OpenCode whose calls can be redirected, and the path that OpenCode expects at the end of the base URL. */
const OPENCODE_PROVIDERS: ReadonlyMap<
  string,
  { readonly provider: string; readonly api: ModelApi; readonly path: string }
> = new Map([
  ["anthropic", { provider: "anthropic", api: "anthropic-messages", path: "/v1" }],
  ["openai", { provider: "openai", api: "openai-responses", path: "" }],
  ["google", { provider: "gemini", api: "gemini", path: "/v1beta" }],
]);

function opencodeProvider({ model = "" }: AcpConfig): string {
  return model.slice(0, Math.max(0, model.indexOf("/")));
}

function opencodeSettings(config: AcpConfig, endpoint: ModelEndpoint): string {
  const name = opencodeProvider(config);
  const { api = "openai-chat", path = "" } = OPENCODE_PROVIDERS.get(name) ?? {};
  const options = { baseURL: `${endpoint.baseUrl(api)}${path}`, apiKey: `{env:${TOKEN_VARIABLE}}` };
  return JSON.stringify({ model: config.model, enabled_providers: [name], provider: { [name]: { options } } });
}

/** Redirects OpenCode with settings for the provider of its model. API keys that OpenCode has stored are not used. */
export const opencodeRedirect: ModelRedirect<AcpConfig> = {
  route(config) {
    const found = OPENCODE_PROVIDERS.get(opencodeProvider(config));
    if (found !== undefined) return { provider: found.provider, apis: [found.api] };
    const names = [...OPENCODE_PROVIDERS.keys()].join(", ");
    return { apis: [], directReason: `its setting model names no provider that can be redirected (${names})` };
  },
  replaces: [...KEYS, "OPENCODE_API_KEY", "OPENCODE_CONSOLE_TOKEN", "OPENCODE_CONFIG_CONTENT", "OPENROUTER_API_KEY"],
  variables: (endpoint, config) => ({
    ...{ [TOKEN_VARIABLE]: endpoint.token, OPENCODE_AUTH_CONTENT: "{}" },
    OPENCODE_CONFIG_CONTENT: opencodeSettings(config, endpoint),
  }),
};
