import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
  type Usage,
} from "@switchyard/contracts";
import { usageOfFailure, withUsage } from "../failure/usage-of-failure.ts";
import { mapEvents } from "../middleware/map-events.ts";
import { costOfUsage } from "./cost-of-usage.ts";
import { type CostOptions, findPrices } from "./find-prices.ts";

/** Model and reported tokens of a complete or failed response. */
interface Called {
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

/** Returns the usage with its cost. `undefined` if the usage already has a cost, or if the price is unknown. */
function pricedUsage(called: Called, request: ModelRequest, options: CostOptions): Usage | undefined {
  const { usage } = called;
  // A cost that the provider reported is more accurate than a cost computed from list prices.
  if (usage.costMicros !== undefined) return undefined;
  const requested = request.provider === undefined || request.provider === called.provider ? request.model : undefined;
  const settings = request.providerOptions?.[called.provider];
  const prices = findPrices({ ...called, requested, settings }, options);
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
