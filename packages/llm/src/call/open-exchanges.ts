import type { Exchange } from "./exchange.ts";

/** Exchanges of all open calls of a provider. */
export interface OpenExchanges {
  /** Sends an HTTP request for the model call that is identified by the request's abort signal. */
  readonly fetch: typeof globalThis.fetch;
  /** Adds the exchange of a call under the call's signal. When the signal is garbage-collected, the exchange is too. */
  add(signal: AbortSignal, exchange: Exchange): void;
}

/**
 * Creates a table of the HTTP exchanges in progress, by their abort signal. One AI SDK model serves many calls, because
 * a new model for each call costs more than a lookup. The SDK passes the abort signal unchanged to `fetch`, and each
 * call has another signal.
 */
export function createOpenExchanges(): OpenExchanges {
  const exchanges = new WeakMap<AbortSignal, Exchange>();
  return {
    async fetch(input, init) {
      const exchange = init?.signal ? exchanges.get(init.signal) : undefined;
      if (exchange === undefined) throw new TypeError("the request belongs to no call");
      return exchange.fetch(input, init);
    },
    add(signal, exchange) {
      exchanges.set(signal, exchange);
    },
  };
}
