import type { RegisteredTool, WebFetcher, WebSearcher } from "@switchyard/contracts";

/** Whose names tools and parameters have. architecture: decision 12. */
export type ToolNaming = "specification" | "native";

/** What a host may choose about a profile; everything but the model has a default. loop: §1.3, §3.2. */
export interface ProfileOptions {
  /** The vendor's model id. */
  readonly model: string;
  /** Name of the provider in the client, where it differs from the family's. */
  readonly provider?: string | undefined;
  /** Name of the model for the prompt; the id by default. */
  readonly modelDisplayName?: string | undefined;
  /** Date up to which the model knows the world. */
  readonly knowledgeCutoff?: string | undefined;
  /** Replaces the base instructions of the family. loop: §6.2. */
  readonly baseInstructions?: string | undefined;
  /** Tools on top of the family's; one of the same name replaces it. loop: §3.7. */
  readonly tools?: readonly RegisteredTool[] | undefined;
  /**
   * What the model knows the tools by: `specification` (default) for the names of this loop, `native` for those of the
   * vendor's own agent, which its models were trained with. Limits, effects and rules stay those of the same tools.
   * architecture: decision 12.
   */
  readonly naming?: ToolNaming | undefined;
  /** Fetches pages for the tool `web_fetch`, which is only offered with it. loop: §3.6. */
  readonly webFetcher?: WebFetcher | undefined;
  /** Searches for the tool `web_search`, which is only offered with it. loop: §3.6. */
  readonly webSearcher?: WebSearcher | undefined;
  /** Names of instruction files; the family's by default. loop: §6.5. */
  readonly documentNames?: readonly string[] | undefined;
  /** Time a command gets by default, in milliseconds. */
  readonly commandTimeoutMs?: number | undefined;
  /** Size of the model's context window in tokens. */
  readonly contextWindowTokens?: number | undefined;
  /** Whether a reasoning effort is passed on; true by default. */
  readonly supportsReasoning?: boolean | undefined;
  /** Whether answers are streamed; true by default. */
  readonly supportsStreaming?: boolean | undefined;
  /** Whether the calls of one answer run side by side; true by default. */
  readonly supportsParallelToolCalls?: boolean | undefined;
  /** Settings for the provider, laid over the family's. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}
