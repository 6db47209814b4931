import type { ModelApi, RetryOptions } from "@switchyard/contracts";
import type { ModelGatewayLimits, ModelUpstream } from "@switchyard/gateway";
import type { CostOptions, ProxySettings } from "@switchyard/llm";
import type { Secret } from "@switchyard/secrets";
import type { EnvironmentRecord } from "../agent/model-choice.ts";
import { findApiKey } from "../credentials/find-api-key.ts";
import { VENDOR_APIS } from "./vendor-apis.ts";

/** Sources from which the host reads the API keys and base URLs of model providers. */
export interface ModelSources {
  /** Environment variables, usually `process.env`. */
  readonly env: EnvironmentRecord;
  /** Credentials file, usually `~/.config/switchyard/credentials.yaml`. Default: none. */
  readonly credentialsFile?: string | undefined;
  /** The only provider that engines may use. `undefined`: all providers with a key in `env`. */
  readonly provider?: string | undefined;
  /** API key of `provider`. It takes precedence over environment variables and the credentials file. */
  readonly apiKey?: string | Secret | undefined;
  /**
   * Models, `provider/model`, that replace a model that fails, in order. A provider of these models may be used although
   * it is not `provider`, if it has a key in `env`. Default: none.
   */
  readonly fallbackModels?: readonly string[] | undefined;
  /**
   * The only models that a run may call: `provider/name`, where a trailing `*` stands for any ending. Fallback models
   * may be called in addition. `undefined`: the model that the engine of the run was told to use, or all models of the
   * providers if the engine selects models itself.
   */
  readonly allowedModels?: readonly string[] | undefined;
  /** Base URL of `provider`, version prefix included. It takes precedence over environment variables. */
  readonly baseUrl?: string | undefined;
  /**
   * Prices by `provider/model` or model id, for models without a list price. They take precedence over list prices.
   * Default: list prices only.
   */
  readonly prices?: CostOptions["prices"];
  /** Limits of the model calls of each run, such as the size of a request. Default: those of the gateway. */
  readonly limits?: Partial<ModelGatewayLimits> | undefined;
  /** Retries of requests that failed before the first byte of their response. Default: 2 retries. */
  readonly retry?: RetryOptions | undefined;
  /**
   * Returns the current time, in milliseconds since 1970, to select the prices that are valid then. Default: the system
   * time.
   */
  readonly now?: (() => number) | undefined;
}

/** Model providers to which the host can connect. */
export interface UpstreamsOfHost {
  /** Providers by name. */
  readonly upstreams: Readonly<Record<string, ModelUpstream>>;
  /** Proxies for connections to providers. */
  readonly proxy: ProxySettings | undefined;
}

/** Wire formats that a custom server is assumed to support, because only its base URL is known. */
const COMPATIBLE: readonly ModelApi[] = ["openai-chat", "openai-responses"];

/** Finds the model providers to which the host can connect. Rejects with `credentials.*` and `config.invalid`. */
export async function openUpstreams(sources: ModelSources): Promise<UpstreamsOfHost> {
  const { env, provider, fallbackModels = [], baseUrl, credentialsFile: file, apiKey: given } = sources;
  const { connectionsFromEnv } = await import("@switchyard/llm");
  const { connections, proxy } = connectionsFromEnv(env);
  if (provider === undefined) return { upstreams: connections, proxy };
  const known = Object.hasOwn(connections, provider) ? connections[provider] : undefined;
  const apiKey = (await findApiKey({ given, provider, env, file })) ?? known?.apiKey;
  const address = baseUrl ?? known?.baseUrl;
  const isVendor = Object.hasOwn(VENDOR_APIS, provider);
  const isReachable = address !== undefined || (isVendor && apiKey !== undefined);
  if (!isReachable) return { upstreams: {}, proxy };
  const apis = known?.apis ?? (isVendor ? undefined : COMPATIBLE);
  const others = Object.entries(connections).filter(
    ([name]) => name !== provider && fallbackModels.some((model) => providerOf(model) === name),
  );
  const upstream = { ...known, apiKey, baseUrl: address, apis };
  // The provider is the first, because requests that name no model, such as those for a list of models, go to the first.
  return { upstreams: { [provider]: upstream, ...Object.fromEntries(others) }, proxy };
}

/** Returns the provider of a model reference, `provider/model`. */
export function providerOf(model: string): string {
  return model.slice(0, model.indexOf("/"));
}
