import type { ModelApi } from "@switchyard/contracts";
import type { ModelEndpoint, ModelRedirect } from "./model-redirect.ts";

/** Environment variable with the token. The settings name the variable, and do not contain the token. */
const TOKEN_VARIABLE = "SWITCHYARD_MODEL_TOKEN";

/** A provider of OpenCode whose calls can be redirected. */
interface RedirectedProvider {
  /** Name of the provider in the destination of the model calls (`ModelRoute`). */
  readonly provider: string;
  readonly api: ModelApi;
  /** Path that OpenCode expects at the end of the base URL. */
  readonly path: string;
}

/** Providers whose calls can be redirected, by the names that OpenCode uses. */
const PROVIDERS: ReadonlyMap<string, RedirectedProvider> = new Map([
  ["anthropic", { provider: "anthropic", api: "anthropic-messages", path: "/v1" }],
  ["openai", { provider: "openai", api: "openai-responses", path: "" }],
  ["google", { provider: "gemini", api: "gemini", path: "/v1beta" }],
]);

/** Part of the configuration of an adapter for OpenCode that decides where its model calls go. */
export interface OpencodeModel {
  /** Provider and model, such as `anthropic/claude-sonnet-4-5`. */
  readonly model?: string | undefined;
}

function nameOf({ model = "" }: OpencodeModel): string {
  return model.slice(0, Math.max(0, model.indexOf("/")));
}

/**
 * Redirects the model calls that OpenCode sends to the provider of its model. Used by all adapters that start OpenCode.
 * The adapter also gives OpenCode the settings of `redirectedOpencodeSettings`. API keys that OpenCode has stored are
 * not used.
 */
export const opencodeRedirect: ModelRedirect<OpencodeModel> = {
  route(config) {
    const found = PROVIDERS.get(nameOf(config));
    if (found !== undefined) return { provider: found.provider, apis: [found.api] };
    const names = [...PROVIDERS.keys()].join(", ");
    return { apis: [], directReason: `its setting model names no provider that can be redirected (${names})` };
  },
  replaces: [
    ...["OPENCODE_API_KEY", "OPENCODE_CONSOLE_TOKEN", "OPENCODE_CONFIG_CONTENT", "OPENROUTER_API_KEY"],
    ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY"],
    ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  ],
  variables: ({ token }) => ({ [TOKEN_VARIABLE]: token, OPENCODE_AUTH_CONTENT: "{}" }),
};

/**
 * Returns the settings of a redirected OpenCode, for its variable `OPENCODE_CONFIG_CONTENT`: only the provider of the
 * model is enabled. Empty if that provider cannot be redirected.
 */
export function redirectedOpencodeSettings(
  config: OpencodeModel,
  endpoint: ModelEndpoint,
): Readonly<Record<string, unknown>> {
  const name = nameOf(config);
  const found = PROVIDERS.get(name);
  if (found === undefined) return {};
  const options = { baseURL: `${endpoint.baseUrl(found.api)}${found.path}`, apiKey: `{env:${TOKEN_VARIABLE}}` };
  return { enabled_providers: [name], provider: { [name]: { options } } };
}
