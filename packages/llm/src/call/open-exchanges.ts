import type { Exchange } from "./exchange.ts";

/** The exchanges of all open calls of a provider. */
export interface OpenExchanges {
  /** Makes the request of whichever call the signal belongs to. */
  readonly fetch: typeof globalThis.fetch;
  /** Adds the exchange of a call under its signal; it is forgotten with the signal. */
  add(signal: AbortSignal, exchange: Exchange): void;
}

/**
 * A table of exchanges. One model of the AI SDK serves many calls, and making one anew for each costs more than a look
 * into this table; the signal is what it hands on to `fetch` untouched, and no two calls have the same.
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
