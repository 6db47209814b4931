import type { ModelApi } from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";
import type { ProxySettings } from "../connect/open-fetch.ts";
import { COMPATIBLE_SOURCES, VENDOR_SOURCES, type VendorSource } from "./provider-sources.ts";
import { addressOf, type EnvironmentRecord, proxyFrom, variableOf } from "./providers-from-env.ts";

/** How programs connect to a model provider, as environment variables configure it. */
export interface ProviderConnection {
  /** API key. `undefined` for a server without keys. */
  readonly apiKey: Secret | undefined;
  /** Base URL including the version prefix. `undefined` for the default address of a vendor. */
  readonly baseUrl: string | undefined;
  /** Wire formats that the provider offers. */
  readonly apis: readonly ModelApi[];
  /** Headers that select an account at the provider. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Connections to model providers that environment variables configure. */
export interface ConfiguredConnections {
  /** Connections by the name of the provider. */
  readonly connections: Readonly<Record<string, ProviderConnection>>;
  /** Proxies for connections to providers. `undefined`: direct connections. */
  readonly proxy: ProxySettings | undefined;
}

/** Wire formats of the vendors, and the version prefix of their URL paths. */
const VENDORS: Readonly<Record<VendorSource["name"], readonly [version: string, ...apis: ModelApi[]]>> = {
  openai: ["/v1", "openai-responses", "openai-chat"],
  anthropic: ["/v1", "anthropic-messages"],
  gemini: ["/v1beta", "gemini"],
};

/**
 * Returns a base URL with the version prefix, which is appended if it is missing. Many configured base URLs lack the
 * prefix, because Anthropic's clients append `/v1/messages`; other clients append only `/messages`.
 */
function withVersion(baseUrl: string, version: string): string {
  const trimmed = baseUrl.replace(/\/+$/u, "");
  return /\/v\d[a-z0-9]*$/u.test(trimmed) ? trimmed : `${trimmed}${version}`;
}

function accountHeaders(env: EnvironmentRecord, name: string): Record<string, string> {
  if (name !== "openai") return {};
  const [organization, project] = [variableOf(env, "OPENAI_ORG_ID"), variableOf(env, "OPENAI_PROJECT_ID")];
  return {
    ...(organization === undefined ? {} : { "openai-organization": organization }),
    ...(project === undefined ? {} : { "openai-project": project }),
  };
}

/**
 * Returns the connections to all providers that have an API key or, for servers without keys, an address in environment
 * variables. The variables are those of `clientFromEnv`. Throws `config.invalid` for an invalid address.
 */
export function connectionsFromEnv(env: EnvironmentRecord): ConfiguredConnections {
  const connections: Record<string, ProviderConnection> = {};
  for (const { name, keys, baseUrl: variable } of VENDOR_SOURCES) {
    const key = keys.map((one) => variableOf(env, one)).find((value) => value !== undefined);
    if (key === undefined) continue;
    const [version, ...apis] = VENDORS[name];
    const address = addressOf(env, variable);
    const baseUrl = address === undefined ? undefined : withVersion(address, version);
    connections[name] = { apiKey: secret(key), baseUrl, apis, headers: accountHeaders(env, name) };
  }
  for (const { name, keys, baseUrl: variable, address: standard, needsKey } of COMPATIBLE_SOURCES) {
    const key = keys.map((one) => variableOf(env, one)).find((value) => value !== undefined);
    const configured = addressOf(env, variable);
    const baseUrl = configured ?? (needsKey && key !== undefined ? standard : undefined);
    if (baseUrl === undefined || (needsKey && key === undefined)) continue;
    const apiKey = key === undefined ? undefined : secret(key);
    connections[name] = { apiKey, baseUrl, apis: ["openai-chat"], headers: {} };
  }
  return { connections, proxy: proxyFrom(env) };
}
