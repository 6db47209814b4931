import { isoTime, type Usage } from "@switchyard/contracts";
import type { ModelPrices, TokenPrices } from "../catalog/model-info.ts";

/**
 * Returns the prices that are valid at a time, in milliseconds since 1970. `undefined` if the known prices have
 * expired.
 */
export function pricesAt(prices: ModelPrices, nowMs: number): ModelPrices | undefined {
  if (prices.until === undefined) return prices;
  const today = isoTime(nowMs).slice(0, 10);
  if (today <= prices.until) return prices;
  return prices.next === undefined ? undefined : pricesAt(prices.next, nowMs);
}

/** Returns the prices that apply to a request with this number of input tokens. */
function pricesFor(prices: ModelPrices, inputTokens: number): TokenPrices {
  const { long } = prices;
  return long !== undefined && inputTokens > long.aboveInputTokens ? long : prices;
}

/** Returns the cost of tokens. Zero tokens cost nothing even without a known price. */
function amount(tokens: number, price: number | undefined): number | undefined {
  if (tokens === 0) return 0;
  return price === undefined ? undefined : tokens * price;
}

/**
 * Returns the cost of a response in millionths of a US dollar, rounded to three decimals. `undefined` if a required
 * price or token count is unknown. Cached tokens have separate prices.
 */
export function costOfUsage(usage: Readonly<Usage>, prices: ModelPrices, nowMs: number): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const valid = pricesAt(prices, nowMs);
  if (valid === undefined || inputTokens + outputTokens === 0) return undefined;
  const { input, output, cacheRead, cacheWrite } = pricesFor(valid, inputTokens);
  const costs = [
    amount(Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens), input),
    amount(outputTokens, output),
    amount(cacheReadTokens, cacheRead),
    amount(cacheWriteTokens, cacheWrite),
  ];
  let total = 0;
  for (const cost of costs) {
    if (cost === undefined || !Number.isFinite(cost)) return undefined;
    total += cost;
  }
  return Math.round(total * 1000) / 1000;
}
