import type { ModelRedirect } from "@switchyard/adapter-kit";
import type { ClaudeCodeConfig } from "./claude-code-config.ts";

/**
 * Environment variables that contain API keys or send the model calls of `claude` to another provider. The user's shell
 * may set them, so they are removed if the agent's model calls are redirected.
 */
const REPLACED: readonly string[] = [
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS"],
  ...["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_API_KEY_HELPER_TTL_MS"],
  ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
];

/**
 * Redirects the model calls of `claude` by setting its environment variables for the address and the API key.
 * {@link buildTurn} also passes the address as a setting, because the user's own settings take precedence over
 * variables.
 */
export const redirect: ModelRedirect<ClaudeCodeConfig> = {
  route: ({ baseUrl, apiKeyEnv }) => ({
    ...{ provider: "anthropic", apis: ["anthropic-messages"] },
    ...(baseUrl === undefined && apiKeyEnv === undefined
      ? {}
      : { directReason: "the settings base_url and api_key_env name another server or API key" }),
  }),
  replaces: REPLACED,
  variables: ({ baseUrl, token }) => ({
    ANTHROPIC_BASE_URL: baseUrl("anthropic-messages"),
    ANTHROPIC_API_KEY: token,
  }),
};
