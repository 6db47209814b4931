import type { Exchange } from "./exchange.ts";

/** Exchanges of all open calls of a provider. */
export interface OpenExchanges {
  /** Sends an HTTP request for the model call that is identified by the request's abort signal. */
  readonly fetch: typeof globalThis.fetch;
  /** Adds the exchange of a call under the call's signal. When the signal is garbage-collected, the exchange is too. */
  add(signal: AbortSignal, exchange: Exchange): void;
}

/**
 * Creates a table of exchanges. One AI SDK model serves many calls, because creating one for each costs more than a
 * lookup. The signal is the key: the SDK passes it unchanged to `fetch`, and it is unique for each call.
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
