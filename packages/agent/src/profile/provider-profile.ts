import type { RegisteredTool, ToolDefinition } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";

/** Options passed to a provider unchanged, by provider name. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Layers of a system prompt that are not part of the profile. loop: §6.1. */
export interface SystemPromptLayers {
  /** Layer 2: the environment block and the git snapshot. loop: §6.3, §6.4. */
  readonly environmentContext: string;
  /** Layer 3: the session's tools. */
  readonly tools: readonly ToolDefinition[];
  /** Layer 4: the project's instruction files. loop: §6.5. */
  readonly projectDocuments: string;
  /** The session's skills, between the project's instructions and the user's. loop: §8. */
  readonly skills?: string | undefined;
  /** Layer 5: the user's own instructions, which take precedence. */
  readonly userInstructions?: string | undefined;
}

/** Adapts the loop to a model family: tools, prompt, limits. loop: ProviderProfile, §3.2. */
export interface ProviderProfile {
  /** Model family: `openai`, `anthropic`, `gemini`, or a host-defined one. */
  readonly id: string;
  /** Name of the provider in the client. Default: the id. */
  readonly provider: string;
  /** Model id of the vendor. */
  readonly model: string;
  /** Name of the model in the prompt. */
  readonly modelDisplayName: string;
  /** Knowledge cutoff of the model. `undefined` if unknown. */
  readonly knowledgeCutoff?: string | undefined;
  /** All tools of the profile. Tools can be added, or replaced by name. loop: §3.7. */
  readonly toolRegistry: ToolRegistry;
  /**
   * Returns a tool under the names of this profile, or unchanged if the profile has none. architecture: decision 12.
   */
  exposeTool?(tool: RegisteredTool): RegisteredTool;
  /** Layer 1 of the system prompt. loop: §6.2. */
  readonly baseInstructions: string;
  /** Names of instruction files that this family reads. loop: §6.5. */
  readonly documentNames: readonly string[];
  /** Default timeout of commands, in milliseconds. loop: §3.5, §5.4. */
  readonly commandTimeoutMs: number;
  /** Size of the model's context window, in tokens. */
  readonly contextWindowTokens: number;
  /** Whether to pass on a reasoning effort. */
  readonly supportsReasoning: boolean;
  /** Whether to stream responses. */
  readonly supportsStreaming: boolean;
  /** Whether calls of one response run concurrently. */
  readonly supportsParallelToolCalls: boolean;
  /** Assembles the system prompt. loop: build_system_prompt, §3.2, §6.1. */
  buildSystemPrompt(layers: SystemPromptLayers): string;
  /** Returns the tool definitions for the model. loop: tools, §3.2. */
  tools(): readonly ToolDefinition[];
  /** Returns the options for the provider. loop: provider_options, §3.2. */
  providerOptions(): ProviderOptions | undefined;
}
