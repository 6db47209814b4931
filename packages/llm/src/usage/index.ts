// Exports for proxies that measure model calls without parsing them. Nothing here loads a provider's package.

export { getModelInfo } from "../catalog/get-model-info.ts";
export { costOfUsage } from "../cost/cost-of-usage.ts";
export type { CostOptions, PricedCall } from "../cost/find-prices.ts";
export { findPrices } from "../cost/find-prices.ts";
export type { UsageReader } from "./create-usage-reader.ts";
export { createUsageReader } from "./create-usage-reader.ts";
export type { NodeHeaders } from "./retry-after-of.ts";
export { retryAfterOf } from "./retry-after-of.ts";
