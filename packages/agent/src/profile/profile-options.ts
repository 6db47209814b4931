import type { RegisteredTool, WebFetcher, WebSearcher } from "@switchyard/contracts";

/** Set of names for tools and parameters. architecture: decision 12. */
export type ToolNaming = "specification" | "native";

/** Options of a profile. All but the model have defaults. loop: §1.3, §3.2. */
export interface ProfileOptions {
  /** Model id of the vendor. */
  readonly model: string;
  /** Name of the provider in the client. Default: the family's. */
  readonly provider?: string | undefined;
  /** Name of the model in the prompt. Default: the id. */
  readonly modelDisplayName?: string | undefined;
  /** Knowledge cutoff of the model. */
  readonly knowledgeCutoff?: string | undefined;
  /** Base instructions that replace the family's. loop: §6.2. */
  readonly baseInstructions?: string | undefined;
  /** Tools in addition to the family's. They replace tools of the same name. loop: §3.7. */
  readonly tools?: readonly RegisteredTool[] | undefined;
  /**
   * Tool names that the model sees: `specification` (default), or `native` for those of the vendor's own agent, which
   * its models were trained with. Limits, effects and rules are the same. architecture: decision 12.
   */
  readonly naming?: ToolNaming | undefined;
  /** Fetches pages for the tool `web_fetch`. `undefined`: the tool is not offered. loop: §3.6. */
  readonly webFetcher?: WebFetcher | undefined;
  /** Searches for the tool `web_search`. `undefined`: the tool is not offered. loop: §3.6. */
  readonly webSearcher?: WebSearcher | undefined;
  /** Names of instruction files. Default: the family's. loop: §6.5. */
  readonly documentNames?: readonly string[] | undefined;
  /** Default timeout of commands, in milliseconds. */
  readonly commandTimeoutMs?: number | undefined;
  /** Size of the model's context window, in tokens. */
  readonly contextWindowTokens?: number | undefined;
  /** Whether to pass on a reasoning effort. Default: `true`. */
  readonly supportsReasoning?: boolean | undefined;
  /** Whether to stream responses. Default: `true`. */
  readonly supportsStreaming?: boolean | undefined;
  /** Whether calls of one response run concurrently. Default: `true`. */
  readonly supportsParallelToolCalls?: boolean | undefined;
  /** Options for the provider, merged over the family's. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}
