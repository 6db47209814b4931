import type { LaunchTarget, ModelRedirect } from "@switchyard/adapter-kit";
import type { CodexConfig } from "./codex-config.ts";
import { API_KEY } from "./open-thread.ts";

/** Environment variable with the token of a redirected agent. */
const TOKEN_VARIABLE = "SWITCHYARD_MODEL_TOKEN";
/** Name of the model provider that is defined for a redirected agent. */
const PROVIDER = "switchyard";

/** Redirects the model calls of `codex` to a model provider that is defined on the command line. */
export const redirect: ModelRedirect<CodexConfig> = {
  route: () => ({ provider: "openai", apis: ["openai-responses"] }),
  replaces: [API_KEY, "OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_ACCESS_TOKEN"],
  variables: ({ token }) => ({ [TOKEN_VARIABLE]: token }),
};

/**
 * Returns the arguments that define the model provider of a redirected agent. They contain the name of the variable with
 * the token, not the token.
 */
export function providerArguments({ modelEndpoint }: LaunchTarget): readonly string[] {
  if (modelEndpoint === undefined) return [];
  const settings = {
    ...{ name: "Switchyard", base_url: modelEndpoint.baseUrl("openai-responses") },
    ...{ env_key: TOKEN_VARIABLE, wire_api: "responses" },
  };
  const values = Object.entries(settings).map(([name, value]) => `model_providers.${PROVIDER}.${name}="${value}"`);
  return [`model_provider="${PROVIDER}"`, ...values].flatMap((value) => ["-c", value]);
}
