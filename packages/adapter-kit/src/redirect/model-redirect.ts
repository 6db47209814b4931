import type { AgentModelAccess, ModelApi, ModelRoute } from "@switchyard/contracts";
import { modelBaseUrl } from "@switchyard/engine";
import { isSecret, type Secret, secret } from "@switchyard/secrets";

/** Address and token that a redirected agent uses for its model calls. */
export interface ModelEndpoint {
  /** Returns the base URL for clients of a wire format. The base URL of OpenAI's APIs ends with `/v1`. */
  baseUrl(api: ModelApi): string;
  /** Token that the agent sends as API key. */
  readonly token: Secret;
}

/** Environment variables of the host that an agent receives, by name. */
export type GivenVariables = Readonly<Record<string, Secret>>;

/** How an adapter redirects the model calls of its agent to another address, such as the model gateway of a host. */
export interface ModelRedirect<Config> {
  /**
   * Returns the destination of the model calls and, if they cannot be redirected, the reason. The result depends on the
   * configuration.
   */
  readonly route: (config: Config, given: GivenVariables) => ModelRoute;
  /**
   * Names of environment variables that contain API keys or select another destination of the model calls. A redirected
   * agent does not receive them.
   */
  readonly replaces: readonly string[];
  /**
   * Returns the environment variables that redirect the agent. Contract: a variable with the token is a `Secret`. Other
   * variables are texts, which are not masked in the agent's output.
   */
  readonly variables: (
    endpoint: ModelEndpoint,
    config: Config,
    given: GivenVariables,
  ) => Readonly<Record<string, Secret | string>>;
}

/** Environment variables of a redirected agent. */
export interface RedirectedVariables {
  /** Variables whose values are masked in the agent's output. */
  readonly variables: GivenVariables;
  /** Variables whose values are not secret. */
  readonly plainVariables: Readonly<Record<string, string>>;
}

/** Returns the base URLs and the token with which an agent uses the model access of its run. */
export function toModelEndpoint(access: AgentModelAccess): ModelEndpoint {
  const token = isSecret(access.token) ? access.token : secret(access.token.reveal());
  return { token, baseUrl: (api) => modelBaseUrl(access, api) };
}

/** Removes the variables in `replaced`, such as those with API keys, and adds the variables that redirect the agent. */
export function redirectVariables(
  given: GivenVariables,
  replaced: ReadonlySet<string>,
  added: Readonly<Record<string, Secret | string>>,
): RedirectedVariables {
  const variables: Record<string, Secret> = {};
  const plainVariables: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) if (!replaced.has(name)) variables[name] = value;
  for (const [name, value] of Object.entries(added)) {
    if (typeof value === "string") plainVariables[name] = value;
    else variables[name] = value;
  }
  return { variables, plainVariables };
}
