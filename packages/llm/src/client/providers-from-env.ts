import { createAnthropicProvider } from "../anthropic/provider.ts";
import { createOpenAiCompatibleProvider } from "../compatible/provider.ts";
import type { ProxySettings } from "../connect/open-fetch.ts";
import { createGeminiProvider } from "../gemini/provider.ts";
import { createOpenAiProvider } from "../openai/provider.ts";
import { checkedUrl } from "../provider/connection.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";
import type { ProviderOptions } from "../provider/provider-options.ts";
import { COMPATIBLE_SOURCES, VENDOR_SOURCES, type VendorSource } from "./provider-sources.ts";

/** Variables of an environment. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** Additional options of a client created from the environment. */
export interface ClientFromEnvOptions extends Omit<ProviderOptions, "apiKey" | "baseUrl" | "keyVariable"> {
  /** Base URLs by provider. These URLs take precedence over environment variables. */
  baseUrls?: Readonly<Record<string, string | undefined>> | undefined;
  /** Name of the provider for requests that name none. Default: the first configured provider. */
  defaultProvider?: string | undefined;
}

/** Returns the value of an environment variable. An empty variable counts as unset. */
export function variableOf(env: EnvironmentRecord, variable: string): string | undefined {
  const value = env[variable]?.trim();
  return value === "" ? undefined : value;
}

/** Returns the base URL in an environment variable. Throws `config.invalid` with the variable's name. */
export function addressOf(env: EnvironmentRecord, variable: string): string | undefined {
  const address = variableOf(env, variable);
  return address === undefined ? undefined : checkedUrl(address, variable);
}

function createVendorProvider(
  name: VendorSource["name"],
  options: ProviderOptions,
  env: EnvironmentRecord,
): LlmProvider {
  switch (name) {
    case "openai": {
      const organization = variableOf(env, "OPENAI_ORG_ID");
      const project = variableOf(env, "OPENAI_PROJECT_ID");
      return createOpenAiProvider({ ...options, organization, project });
    }
    case "anthropic":
      return createAnthropicProvider(options);
    case "gemini":
      return createGeminiProvider(options);
  }
}

/**
 * Returns the proxy settings in the usual environment variables. Lower-case names take precedence, as in other
 * programs.
 */
export function proxyFrom(env: EnvironmentRecord): ProxySettings | undefined {
  const either = (name: string): string | undefined => variableOf(env, name.toLowerCase()) ?? variableOf(env, name);
  const address = (text: string | undefined): string | undefined =>
    text === undefined || text.includes("://") ? text : `http://${text}`;
  const [http, https, none] = [address(either("HTTP_PROXY")), address(either("HTTPS_PROXY")), either("NO_PROXY")];
  return http === undefined && https === undefined ? undefined : { http, https, none };
}

/** Providers configured in an environment. */
export interface ProvidersOfEnv {
  providers: Record<string, LlmProvider>;
  /** Configured providers, in order of preference. */
  preferred: string[];
  missingKeys: Record<string, string>;
  missingAddresses: Record<string, string>;
}

function addVendors(found: ProvidersOfEnv, env: EnvironmentRecord, options: ClientFromEnvOptions): void {
  const { baseUrls, ...shared } = options;
  for (const { name, keys, baseUrl: baseUrlVariable } of VENDOR_SOURCES) {
    const keyVariable = keys.find((key) => variableOf(env, key) !== undefined);
    if (keyVariable === undefined) {
      found.missingKeys[name] = keys.join(" or ");
      continue;
    }
    const apiKey = variableOf(env, keyVariable) ?? "";
    const baseUrl = baseUrls?.[name] ?? addressOf(env, baseUrlVariable);
    found.providers[name] = createVendorProvider(name, { ...shared, apiKey, baseUrl, keyVariable }, env);
    found.preferred.push(name);
  }
}

function addCompatible(found: ProvidersOfEnv, env: EnvironmentRecord, options: ClientFromEnvOptions): void {
  const { baseUrls, ...shared } = options;
  for (const { name, keys, address, needsKey, baseUrl: baseUrlVariable } of COMPATIBLE_SOURCES) {
    const [keyVariable = ""] = keys;
    const apiKey = variableOf(env, keyVariable);
    const configured = baseUrls?.[name] ?? addressOf(env, baseUrlVariable);
    const baseUrl = configured ?? address;
    if (needsKey && apiKey === undefined) {
      found.missingKeys[name] = keyVariable;
    } else if (baseUrl === undefined) {
      found.missingAddresses[name] = baseUrlVariable;
    } else {
      found.providers[name] = createOpenAiCompatibleProvider({ ...shared, name, apiKey, baseUrl, keyVariable });
      if (configured !== undefined || needsKey) found.preferred.push(name);
    }
  }
}

/** Creates the providers configured in an environment. Throws `config.invalid` for an invalid key or address. */
export function providersFromEnv(
  env: EnvironmentRecord,
  options: Omit<ClientFromEnvOptions, "defaultProvider">,
): ProvidersOfEnv {
  const shared = { ...options, proxy: options.proxy ?? proxyFrom(env) };
  const found: ProvidersOfEnv = { providers: {}, preferred: [], missingKeys: {}, missingAddresses: {} };
  addVendors(found, env, shared);
  addCompatible(found, env, shared);
  return found;
}
