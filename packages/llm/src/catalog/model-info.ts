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
}
