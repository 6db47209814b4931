/** What tokens cost, in US dollars per million. What is not known is absent, never 0. */
export interface TokenPrices {
  /** Tokens of the request that no cache had. */
  input?: number | undefined;
  /** Tokens of the answer, reasoning included. */
  output?: number | undefined;
  /** Tokens of the request that came from the provider's cache. */
  cacheRead?: number | undefined;
  /** Tokens of the request that were written to the provider's cache, for its shortest time. */
  cacheWrite?: number | undefined;
}

/** The list prices of a model, standard tier. unified-llm-client: catalog. */
export interface ModelPrices extends TokenPrices {
  /** What every token of a request costs whose input is longer than `aboveInputTokens`. */
  long?: (TokenPrices & { readonly aboveInputTokens: number }) | undefined;
  /** Last day of these prices, `YYYY-MM-DD` (UTC). */
  until?: string | undefined;
  /** The prices after that day; unknown when absent. */
  next?: ModelPrices | undefined;
  /** Day on which the vendor's page said so, `YYYY-MM-DD`. */
  asOf?: string | undefined;
  /** Address of that page. */
  source?: string | undefined;
}

/** What is known about one model. What is not public is absent. unified-llm-client: catalog. */
export interface ModelInfo {
  /** The vendor's model id. */
  id: string;
  /** Family of its API. */
  provider: "openai" | "anthropic" | "gemini";
  /** Name for people. */
  displayName: string;
  /** Tokens that input and output may have together. */
  contextWindow: number;
  /** Most tokens of one answer. */
  maxOutput: number;
  /** Whether it can reason before it answers. */
  reasoning: boolean;
  /** Whether it can call tools. */
  tools: boolean;
  /** Whether it sees images. */
  vision: boolean;
  /** Month up to which it knows the world, `YYYY-MM`. */
  knowledgeCutoff?: string | undefined;
  /** Other names of the same model. */
  aliases?: readonly string[] | undefined;
  /** What it costs; absent when that is not known. */
  prices?: ModelPrices | undefined;
}

/** What a model can do beyond answering with text. */
export type ModelCapability = "tools" | "vision" | "reasoning";
