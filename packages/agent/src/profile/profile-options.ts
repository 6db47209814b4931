import type { RegisteredTool, WebFetcher, WebSearcher } from "@switchyard/contracts";

/** Naming scheme for tools and parameters. See architecture: decision 12. */
export type ToolNaming = "specification" | "native";

/** Options of a profile. All but the model have defaults. See loop: §1.3, §3.2. */
export interface ProfileOptions {
  /** The vendor's model id. */
  readonly model: string;
  /** Name of the provider in the client. Default: the name of the model family. */
  readonly provider?: string | undefined;
  /** Display name of the model in the prompt. Default: the model id. */
  readonly modelDisplayName?: string | undefined;
  /** Knowledge cutoff of the model, shown in the prompt. Default: unknown. */
  readonly knowledgeCutoff?: string | undefined;
  /** Base instructions that replace those of the model family. See loop: §6.2. */
  readonly baseInstructions?: string | undefined;
  /** Additional tools. A tool replaces the model family's tool of the same name. See loop: §3.7. */
  readonly tools?: readonly RegisteredTool[] | undefined;
  /**
   * Tool names that the model sees: `specification` (default) or `native`. Native names are the tool names of the
   * vendor's own coding agent, with which the vendor's models were trained. Limits, effects and rules do not change.
   * See architecture: decision 12.
   */
  readonly toolNames?: ToolNaming | undefined;
  /** Enables the tool `web_fetch` and fetches its pages. `undefined`: the tool is not offered. See loop: §3.6. */
  readonly webFetcher?: WebFetcher | undefined;
  /** Enables the tool `web_search` and runs its searches. `undefined`: the tool is not offered. See loop: §3.6. */
  readonly webSearcher?: WebSearcher | undefined;
  /** Names of instruction files. Default: those of the model family. See loop: §6.5. */
  readonly documentNames?: readonly string[] | undefined;
  /** Command timeout if the model requests none, in milliseconds. Default: that of the model family. */
  readonly commandTimeoutMs?: number | undefined;
  /** Size of the model's context window, in tokens. Default: that of the model family. */
  readonly contextWindowTokens?: number | undefined;
  /** Whether the model accepts a reasoning effort. Default: `true`. */
  readonly supportsReasoning?: boolean | undefined;
  /** Whether responses are streamed. Default: `true`. */
  readonly supportsStreaming?: boolean | undefined;
  /** Whether the tool calls of one response run concurrently. Default: `true`. */
  readonly supportsParallelToolCalls?: boolean | undefined;
  /** Request options for the provider. These options take precedence over the options that the profile sets. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}
