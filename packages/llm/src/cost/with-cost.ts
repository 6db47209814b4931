import type { Client, ModelRequest, ModelResponse, StreamEvent } from "@switchyard/contracts";
import { getModelInfo } from "../catalog/get-model-info.ts";
import type { ModelPrices } from "../catalog/model-info.ts";
import { mapEvents } from "../middleware/map-events.ts";
import { costOfUsage } from "./cost-of-usage.ts";
import { isStandard } from "./is-standard.ts";

/** How the cost of answers is found out. */
export interface CostOptions {
  /** Prices by `provider/model` or model id; they win over the catalog's. */
  prices?: Readonly<Record<string, ModelPrices>> | undefined;
  /** Whether the catalog's list prices are used; default true. */
  listPrices?: boolean | undefined;
  /** Time in milliseconds, for prices that end on a day; default the system's. */
  now?: (() => number) | undefined;
}

function ownPrices({ prices = {} }: CostOptions, provider: string, model: string): ModelPrices | undefined {
  const name = [`${provider}/${model}`, model].find((candidate) => Object.hasOwn(prices, candidate));
  return name === undefined ? undefined : prices[name];
}

/** The list prices hold only at the vendor itself: others that offer its models have their own. */
function listPrices(provider: string, model: string): ModelPrices | undefined {
  const info = getModelInfo(model);
  return info?.provider === provider ? info.prices : undefined;
}

function findPrices(response: ModelResponse, request: ModelRequest, options: CostOptions): ModelPrices | undefined {
  const { provider, model } = response;
  const asked = request.provider === undefined || request.provider === provider ? [request.model] : [];
  for (const name of [model, ...asked]) {
    const own = ownPrices(options, provider, name);
    if (own !== undefined) return own;
  }
  if (options.listPrices === false || !isStandard(request.providerOptions?.[provider])) return undefined;
  for (const name of [model, ...asked]) {
    const listed = listPrices(provider, name);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

function priced(response: ModelResponse, request: ModelRequest, options: CostOptions): ModelResponse {
  // What the provider itself says about the cost is truer than any list.
  if (response.usage.costMicros !== undefined) return response;
  const prices = findPrices(response, request, options);
  if (prices === undefined) return response;
  const costMicros = costOfUsage(response.usage, prices, (options.now ?? Date.now)());
  return costMicros === undefined ? response : { ...response, usage: { ...response.usage, costMicros } };
}

/**
 * A client whose answers say what they cost (`usage.costMicros`), by list prices or those that are given. A price that
 * is not known leaves the cost absent, never 0. unified-llm-client: middleware, catalog.
 */
export function withCost(client: Client, options: CostOptions = {}): Client {
  return {
    complete: async (request) => priced(await client.complete(request), request, options),
    stream: (request) =>
      mapEvents(
        client.stream(request),
        (event): StreamEvent =>
          event.type === "finish" ? { ...event, response: priced(event.response, request, options) } : event,
      ),
    close: () => client.close(),
  };
}
