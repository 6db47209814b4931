// Exports for users: the model client, its providers, retries and the model catalog.

export type { RetryOptions } from "@switchyard/contracts";
export type { AnthropicProviderOptions } from "./anthropic/provider.ts";
export { createAnthropicProvider } from "./anthropic/provider.ts";
export { getModelInfo } from "./catalog/get-model-info.ts";
export type { ListModelsOptions } from "./catalog/list-models.ts";
export { getDefaultModel, getLatestModel, listModels } from "./catalog/list-models.ts";
export type { ListedModel, ListedPrices, ProviderModels } from "./catalog/listed-models.ts";
export { listedModels } from "./catalog/listed-models.ts";
export { MODEL_CATALOG } from "./catalog/model-catalog.ts";
export type { ModelCapability, ModelInfo, ModelPrices, TokenPrices } from "./catalog/model-info.ts";
export { clientFromEnv } from "./client/client-from-env.ts";
export type { ConfiguredConnections, ProviderConnection } from "./client/connections-from-env.ts";
export { connectionsFromEnv } from "./client/connections-from-env.ts";
export type { ClientOptions } from "./client/create-client.ts";
export { createClient } from "./client/create-client.ts";
export type { ModelReference } from "./client/model-reference.ts";
export { parseModelReference } from "./client/model-reference.ts";
export { knownProviders } from "./client/provider-sources.ts";
export type { ClientFromEnvOptions, EnvironmentRecord } from "./client/providers-from-env.ts";
export { proxyFrom } from "./client/providers-from-env.ts";
export type { OpenAiCompatibleProviderOptions } from "./compatible/provider.ts";
export { createOpenAiCompatibleProvider } from "./compatible/provider.ts";
export { costOfUsage, pricesAt } from "./cost/cost-of-usage.ts";
export type { CostOptions } from "./cost/find-prices.ts";
export { withCost } from "./cost/with-cost.ts";
export type { SharedBudgetOptions } from "./cost/with-shared-budget.ts";
export { withSharedBudget } from "./cost/with-shared-budget.ts";
export type { FallbackModel, FallbackNotice, FallbackOptions } from "./fallback/with-fallback.ts";
export { withFallback } from "./fallback/with-fallback.ts";
export type { GeminiProviderOptions } from "./gemini/provider.ts";
export { createGeminiProvider } from "./gemini/provider.ts";
export type { GenerateStream } from "./generate/generate.ts";
export { generate, streamGenerate } from "./generate/generate.ts";
export type {
  GenerateObjectOptions,
  ObjectResult,
  ObjectStream,
  ParsedObjectOptions,
} from "./generate/generate-object.ts";
export { generateObject, streamObject } from "./generate/generate-object.ts";
export type { GenerateOptions, GenerateTool, GenerateToolContext } from "./generate/generate-options.ts";
export type { GenerateEvent, GenerateResult, GenerateStep } from "./generate/generate-result.ts";
export type { ResultStream } from "./generate/result-stream.ts";
export type { LoggingOptions, ModelCallLog } from "./middleware/with-logging.ts";
export { withLogging } from "./middleware/with-logging.ts";
export type { ClientMiddleware } from "./middleware/with-middleware.ts";
export { withMiddleware } from "./middleware/with-middleware.ts";
export type { RateLimitOptions } from "./middleware/with-rate-limit.ts";
export { withRateLimit } from "./middleware/with-rate-limit.ts";
export type { ResponseCacheOptions } from "./middleware/with-response-cache.ts";
export { withResponseCache } from "./middleware/with-response-cache.ts";
export type { OfferedModelsOptions } from "./model-list/list-offered-models.ts";
export { listOfferedModels } from "./model-list/list-offered-models.ts";
export type { OfferedModel } from "./model-list/model-list.ts";
export type { OpenAiProviderOptions } from "./openai/provider.ts";
export { createOpenAiProvider } from "./openai/provider.ts";
export { withRetry } from "./retry/with-retry.ts";

// Exports for implementers: custom providers and middleware.

export type { Schedule } from "./call/schedule.ts";
export type { ProxySettings } from "./connect/open-fetch.ts";
export type { ClientLayer } from "./middleware/with-middleware.ts";
export { defineClientMiddleware } from "./middleware/with-middleware.ts";
export type { ListModelsCall, LlmProvider } from "./provider/llm-provider.ts";
export type { CallTimeouts, ProviderOptions } from "./provider/provider-options.ts";
export type { FileReader } from "./request/file-reads.ts";
export { knownReasoningEfforts } from "./request/known-efforts.ts";
export { eventsOfResponse } from "./response/events-of-response.ts";
export type { StreamAccumulator } from "./response/stream-accumulator.ts";
export { createStreamAccumulator } from "./response/stream-accumulator.ts";
