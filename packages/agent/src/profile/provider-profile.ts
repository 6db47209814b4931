import type { RegisteredTool, ToolDefinition } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";

/** Options passed to a provider unchanged, by provider name. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Layers of a system prompt that the session supplies, in addition to the profile's base instructions. See loop: §6.1.
 */
export interface SystemPromptLayers {
  /** Layer 2 of the system prompt: the environment block and the git snapshot. See loop: §6.3, §6.4. */
  readonly environmentContext: string;
  /** Layer 3 of the system prompt: the definitions of the session's tools. */
  readonly tools: readonly ToolDefinition[];
  /** Layer 4 of the system prompt: the content of the project's instruction files. See loop: §6.5. */
  readonly projectDocuments: string;
  /** The session's skills, placed between the project's and the user's instructions. See loop: §8. */
  readonly skills?: string | undefined;
  /** Layer 5 of the system prompt: the user's instructions, which take precedence. */
  readonly userInstructions?: string | undefined;
}

/** Adapts the agent loop to a model family with suitable tools, prompts and limits. See loop: ProviderProfile, §3.2. */
export interface ProviderProfile {
  /** Model family: `openai`, `anthropic`, `gemini`, or a host-defined one. */
  readonly id: string;
  /** Name of the provider in the client. Usually the same as `id`. */
  readonly provider: string;
  /** The vendor's model id. */
  readonly model: string;
  /** Display name of the model in the prompt. */
  readonly modelDisplayName: string;
  /** Knowledge cutoff of the model. `undefined` if unknown. */
  readonly knowledgeCutoff?: string | undefined;
  /** Tools of the profile. Hosts may add tools, or replace them by name. See loop: §3.7. */
  readonly toolRegistry: ToolRegistry;
  /**
   * Returns a tool with the tool and parameter names that the profile shows to the model. Returns the tool unchanged if
   * the profile defines no names for it. See architecture: decision 12.
   */
  exposeTool?(tool: RegisteredTool): RegisteredTool;
  /** Layer 1 of the system prompt. See loop: §6.2. */
  readonly baseInstructions: string;
  /** Names of instruction files that this family reads. See loop: §6.5. */
  readonly documentNames: readonly string[];
  /** Default command timeout, in milliseconds. See loop: §3.5, §5.4. */
  readonly commandTimeoutMs: number;
  /** Size of the model's context window, in tokens. */
  readonly contextWindowTokens: number;
  /** Whether the model accepts a reasoning effort. */
  readonly supportsReasoning: boolean;
  /** Whether responses are streamed. */
  readonly supportsStreaming: boolean;
  /** Whether the tool calls of one response run concurrently. */
  readonly supportsParallelToolCalls: boolean;
  /** Assembles the system prompt. See loop: build_system_prompt, §3.2, §6.1. */
  buildSystemPrompt(layers: SystemPromptLayers): string;
  /** Returns the tool definitions for the model. See loop: tools, §3.2. */
  tools(): readonly ToolDefinition[];
  /** Returns the options for the provider. `undefined` if there are none. See loop: provider_options, §3.2. */
  providerOptions(): ProviderOptions | undefined;
}
