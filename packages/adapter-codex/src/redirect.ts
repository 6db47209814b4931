import type { LaunchTarget, ModelRedirect } from "@switchyard/adapter-kit";
import type { CodexConfig } from "./codex-config.ts";
import { API_KEY } from "./open-thread.ts";

/** Environment variable that contains the token, if the agent's model calls are redirected to the gateway. */
const TOKEN_VARIABLE = "SWITCHYARD_MODEL_TOKEN";
/** Name of the model provider that is defined on the command line. */
const PROVIDER = "switchyard";

/** Redirects the model calls of `codex` to a model provider that is defined on the command line. */
export const redirect: ModelRedirect<CodexConfig> = {
  route: ({ baseUrl }) => ({
    ...{ provider: "openai", apis: ["openai-responses"] },
    ...(baseUrl === undefined ? {} : { directReason: "the setting base_url names another server" }),
  }),
  replaces: [API_KEY, "OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_ACCESS_TOKEN"],
  variables: ({ token }) => ({ [TOKEN_VARIABLE]: token }),
};

/**
 * Returns the arguments that define the model provider: the gateway if the agent's model calls are redirected,
 * otherwise the server in the setting `base_url`. The arguments contain the name of the variable with the token or API
 * key, not its value.
 */
export function providerArguments({ modelEndpoint }: LaunchTarget, config: CodexConfig): readonly string[] {
  const redirected = modelEndpoint?.baseUrl("openai-responses");
  const baseUrl = redirected ?? config.baseUrl;
  if (baseUrl === undefined) return [];
  const key = redirected === undefined ? config.apiKeyEnv : TOKEN_VARIABLE;
  const settings = {
    ...{ name: "Switchyard", base_url: baseUrl, wire_api: "responses" },
    ...(key === undefined ? {} : { env_key: key }),
  };
  // JSON strings are valid TOML strings.
  const values = Object.entries(settings).map(
    ([name, value]) => `model_providers.${PROVIDER}.${name}=${JSON.stringify(value)}`,
  );
  return [`model_provider="${PROVIDER}"`, ...values].flatMap((value) => ["-c", value]);
}
