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

/** A response, or one that failed: which model was called, and the tokens that it reported. */
interface Called {
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

function findPrices({ provider, model }: Called, request: ModelRequest, options: CostOptions): ModelPrices | undefined {
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

/** The usage with its cost; `undefined` if nothing is to be added. */
function pricedUsage(called: Called, request: ModelRequest, options: CostOptions): Usage | undefined {
  const { usage } = called;
  // What the provider itself says about the cost is truer than any list.
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

/** A failure whose response had reported usage is paid for as well. */
function pricedFailure(error: unknown, request: ModelRequest, options: CostOptions): unknown {
  const usage = EngineError.is(error) ? usageOfFailure(error) : undefined;
  if (!EngineError.is(error) || usage === undefined) return error;
  const { provider = request.provider ?? "" } = error.details;
  const called = { provider: String(provider), model: usage.model ?? request.model, usage };
  const withCosts = pricedUsage(called, request, options);
  return withCosts === undefined ? error : withUsage(error, withCosts);
}

/**
 * A client whose answers say what they cost (`usage.costMicros`), by list prices or those that are given. So do failures,
 * for the usage that their responses had reported. A price that
 * is not known leaves the cost absent, never 0. unified-llm-client: middleware, catalog.
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
