import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
  type Usage,
} from "@switchyard/contracts";
import { getModelInfo } from "../catalog/get-model-info.ts";
import type { ModelPrices } from "../catalog/model-info.ts";
import { usageOfFailure, withUsage } from "../failure/usage-of-failure.ts";
import { mapEvents } from "../middleware/map-events.ts";
import { costOfUsage } from "./cost-of-usage.ts";
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

/** Model and reported tokens of a complete or failed response. */
interface Called {
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

function findPrices({ provider, model }: Called, request: ModelRequest, options: CostOptions): ModelPrices | undefined {
  const requested = request.provider === undefined || request.provider === provider ? [request.model] : [];
  for (const name of [model, ...requested]) {
    const configured = configuredPrices(options, provider, name);
    if (configured !== undefined) return configured;
  }
  if (options.listPrices === false || !isStandard(request.providerOptions?.[provider])) return undefined;
  for (const name of [model, ...requested]) {
    const listed = listPrices(provider, name);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

/** Returns the usage with its cost. `undefined` if the usage already has a cost, or if the price is unknown. */
function pricedUsage(called: Called, request: ModelRequest, options: CostOptions): Usage | undefined {
  const { usage } = called;
  // A cost that the provider reported is more accurate than a cost computed from list prices.
  if (usage.costMicros !== undefined) return undefined;
  const prices = findPrices(called, request, options);
  if (prices === undefined) return undefined;
  const costMicros = costOfUsage(usage, prices, (options.now ?? Date.now)());
  return costMicros === undefined ? undefined : { ...usage, costMicros };
}

function priced(response: ModelResponse, request: ModelRequest, options: CostOptions): ModelResponse {
  const usage = pricedUsage(response, request, options);
  return usage === undefined ? response : { ...response, usage };
}

/** Adds the cost to a failure, because a failed response that reported usage is charged too. */
function pricedFailure(error: unknown, request: ModelRequest, options: CostOptions): unknown {
  const usage = EngineError.is(error) ? usageOfFailure(error) : undefined;
  if (!EngineError.is(error) || usage === undefined) return error;
  const { provider = request.provider ?? "" } = error.details;
  const called = { provider: String(provider), model: usage.model ?? request.model, usage };
  const withCosts = pricedUsage(called, request, options);
  return withCosts === undefined ? error : withUsage(error, withCosts);
}

/**
 * Wraps a client and adds the cost to its responses (`usage.costMicros`), from list prices or from given prices. Also
 * adds it to failures whose responses had reported usage. If a price is unknown, the cost is absent, never 0. See
 * unified-llm-client: middleware, catalog.
 */
export function withCost(client: Client, options: CostOptions = {}): Client {
  return {
    complete: async (request) => {
      try {
        return priced(await client.complete(request), request, options);
      } catch (error) {
        throw pricedFailure(error, request, options);
      }
    },
    stream: (request) =>
      mapEvents(
        client.stream(request),
        (event): StreamEvent =>
          event.type === "finish" ? { ...event, response: priced(event.response, request, options) } : event,
        (error) => pricedFailure(error, request, options),
      ),
    close: () => client.close(),
  };
}
