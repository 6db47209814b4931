import type { Exchange } from "./exchange.ts";

/** HTTP exchanges in progress of one provider. */
export interface OpenExchanges {
  /** Sends an HTTP request for the model call that is identified by the request's abort signal. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Adds the HTTP exchange of a call; its key is the call's abort signal. When the signal is garbage-collected, so is
   * the exchange.
   */
  add(signal: AbortSignal, exchange: Exchange): void;
}

/**
 * Creates a table of the HTTP exchanges in progress, by their abort signal. One AI SDK model serves many calls, because
 * a new model for each call costs more than a lookup. The SDK passes the abort signal unchanged to `fetch`, and each
 * call has its own signal.
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
