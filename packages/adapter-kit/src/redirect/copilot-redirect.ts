import type { ModelApi, ModelRoute } from "@switchyard/contracts";
import type { GivenVariables, ModelRedirect } from "./model-redirect.ts";

/** Providers whose calls can be redirected. The key is the host of the URL in `COPILOT_PROVIDER_BASE_URL`. */
const PROVIDERS: ReadonlyMap<string, { readonly provider: string; readonly type: string; readonly api: ModelApi }> =
  new Map([
    ["api.openai.com", { provider: "openai", type: "openai", api: "openai-chat" }],
    ["api.anthropic.com", { provider: "anthropic", type: "anthropic", api: "anthropic-messages" }],
  ]);

function routeOf(given: GivenVariables): ModelRoute {
  const baseUrl = given["COPILOT_PROVIDER_BASE_URL"]?.reveal() ?? "";
  if (baseUrl === "") {
    return { apis: [], directReason: "without COPILOT_PROVIDER_BASE_URL, copilot calls the models of GitHub" };
  }
  const found = URL.canParse(baseUrl) ? PROVIDERS.get(new URL(baseUrl).hostname) : undefined;
  const type = given["COPILOT_PROVIDER_TYPE"]?.reveal() ?? "openai";
  if (found?.type === type) return { provider: found.provider, apis: [found.api] };
  const hosts = [...PROVIDERS.keys()].join(", ");
  const directReason = `COPILOT_PROVIDER_BASE_URL and COPILOT_PROVIDER_TYPE name no provider that can be redirected (${hosts})`;
  return { apis: [], directReason };
}

/**
 * Redirects the model calls of Copilot CLI by setting its environment variables for a custom provider. Used by all
 * adapters that start Copilot CLI. Its offline mode is switched on, because otherwise Copilot CLI would connect to
 * GitHub, which needs the user's credentials.
 */
export const copilotRedirect: ModelRedirect<unknown> = {
  route: (_config, given) => routeOf(given),
  replaces: [
    ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    ...["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
  ],
  variables({ baseUrl, token }, _config, given) {
    const [api = "openai-chat"] = routeOf(given).apis;
    return {
      ...{ COPILOT_PROVIDER_BASE_URL: baseUrl(api), COPILOT_PROVIDER_API_KEY: token },
      COPILOT_OFFLINE: "true",
    };
  },
};
