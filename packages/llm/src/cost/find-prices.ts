import { getModelInfo } from "../catalog/get-model-info.ts";
import type { ModelPrices } from "../catalog/model-info.ts";
import { isStandard } from "./is-standard.ts";

/** Options for cost calculation. */
export interface CostOptions {
  /** Prices by `provider/model` or model id. These prices take precedence over the catalog's prices. */
  prices?: Readonly<Record<string, ModelPrices>> | undefined;
  /** True to use the catalog's list prices. Default: true. */
  listPrices?: boolean | undefined;
  /**
   * Returns the time in milliseconds since 1970, to find the prices that are valid at that time. Default: the system
   * time.
   */
  now?: (() => number) | undefined;
}

function configuredPrices({ prices = {} }: CostOptions, provider: string, model: string): ModelPrices | undefined {
  const name = [`${provider}/${model}`, model].find((candidate) => Object.hasOwn(prices, candidate));
  return name === undefined ? undefined : prices[name];
}

/**
 * Returns the list prices. They apply only if the vendor itself is the provider, because other providers charge other
 * prices for the same model.
 */
function listPrices(provider: string, model: string): ModelPrices | undefined {
  const info = getModelInfo(model);
  return info?.provider === provider ? info.prices : undefined;
}

/** A model call whose prices are looked up. */
export interface PricedCall {
  /** Provider of the response. */
  readonly provider: string;
  /** Model of the response. */
  readonly model: string;
  /** Requested model, whose prices apply if the model of the response has none. */
  readonly requested?: string | undefined;
  /** Settings of the request. List prices apply only if no setting, such as a service tier, changes the price. */
  readonly settings?: unknown;
}

/** Returns the configured or listed prices of a call. `undefined` if the prices are unknown. */
export function findPrices(call: PricedCall, options: CostOptions): ModelPrices | undefined {
  const { provider, model, requested, settings } = call;
  const names = requested === undefined ? [model] : [model, requested];
  for (const name of names) {
    const configured = configuredPrices(options, provider, name);
    if (configured !== undefined) return configured;
  }
  if (options.listPrices === false || !isStandard(settings)) return undefined;
  for (const name of names) {
    const listed = listPrices(provider, name);
    if (listed !== undefined) return listed;
  }
  return undefined;
}
