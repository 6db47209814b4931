/** Token prices, in US dollars per million. Unknown prices are absent, never 0. */
export interface TokenPrices {
  /** Price of input tokens that are not cached. */
  input?: number | undefined;
  /** Price of output tokens, including reasoning. */
  output?: number | undefined;
  /** Price of input tokens read from the provider's cache. */
  cacheRead?: number | undefined;
  /**
   * Price of input tokens written to the provider's cache, for the shortest cache lifetime that the provider offers.
   */
  cacheWrite?: number | undefined;
}

/** List prices of a model, standard tier. See unified-llm-client: catalog. */
export interface ModelPrices extends TokenPrices {
  /** Prices that apply to all tokens of a request if it has more than `aboveInputTokens` input tokens. */
  long?: (TokenPrices & { readonly aboveInputTokens: number }) | undefined;
  /** Last day on which these prices are valid, `YYYY-MM-DD` (UTC). */
  until?: string | undefined;
  /** Prices that are valid after the day in `until`. Absent if unknown. */
  next?: ModelPrices | undefined;
  /** Day on which the source was checked, `YYYY-MM-DD`. */
  asOf?: string | undefined;
  /** Address of the vendor's price page. */
  source?: string | undefined;
}

/** Catalog data of one model. Unpublished values are absent. See unified-llm-client: catalog. */
export interface ModelInfo {
  /** The vendor's model id. */
  id: string;
  /** API family. */
  provider: "openai" | "anthropic" | "gemini";
  /** Human-readable name. */
  displayName: string;
  /** Context window: maximum tokens of input and output together. */
  contextWindow: number;
  /** Maximum tokens of one response. */
  maxOutput: number;
  /** True if the model can reason before responding. */
  reasoning: boolean;
  /** True if the model can call tools. */
  tools: boolean;
  /** True if the model accepts images. */
  vision: boolean;
  /** Knowledge cutoff, `YYYY-MM`. */
  knowledgeCutoff?: string | undefined;
  /** Other ids of the same model. */
  aliases?: readonly string[] | undefined;
  /** Prices. Absent if unknown. */
  prices?: ModelPrices | undefined;
}

/** A model capability other than responding with text. */
export type ModelCapability = "tools" | "vision" | "reasoning";
