import { type ModelRedirect, opencodeRedirect } from "@switchyard/adapter-kit";
import type { OpencodeConfig } from "./opencode-config.ts";

/** Redirects the model calls of OpenCode, unless its configuration names another server or API key. */
export const redirect: ModelRedirect<OpencodeConfig> = {
  ...opencodeRedirect,
  route(config, given) {
    const route = opencodeRedirect.route(config, given);
    if (route.directReason !== undefined) return route;
    if (config.baseUrl === undefined && config.apiKeyEnv === undefined) return route;
    return { ...route, directReason: "the settings base_url and api_key_env name another server or API key" };
  },
};
