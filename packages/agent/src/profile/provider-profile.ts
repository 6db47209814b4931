import type { RegisteredTool, ToolDefinition } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";

/** Settings that go to a provider as they are, by provider name. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The layers of a system prompt that are not the profile's own. loop: §6.1. */
export interface SystemPromptLayers {
  /** Layer 2: the environment block and the git snapshot. loop: §6.3, §6.4. */
  readonly environmentContext: string;
  /** Layer 3: the tools the session offers. */
  readonly tools: readonly ToolDefinition[];
  /** Layer 4: the project's instruction files. loop: §6.5. */
  readonly projectDocuments: string;
  /** The skills the session offers, between the project's instructions and the user's. loop: §8. */
  readonly skills?: string | undefined;
  /** Layer 5: the user's own instructions, which take precedence. */
  readonly userInstructions?: string | undefined;
}

/**
 * What makes the loop fit a model family: its tools, its prompt, its limits. Data, but for the prompt's assembly.
 * loop: ProviderProfile, §3.2.
 */
export interface ProviderProfile {
  /** Model family: `openai`, `anthropic`, `gemini`, or a host's own. */
  readonly id: string;
  /** Name of the provider in the client; the id unless the host says otherwise. */
  readonly provider: string;
  /** The vendor's model id. */
  readonly model: string;
  /** Name of the model for the prompt. */
  readonly modelDisplayName: string;
  /** Date up to which the model knows the world, where it is known. */
  readonly knowledgeCutoff?: string | undefined;
  /** Every tool of the profile; register more, or replace them by name. loop: §3.7. */
  readonly toolRegistry: ToolRegistry;
  /** A tool under the names this profile exposes; itself where the profile has none. architecture: decision 12. */
  exposeTool?(tool: RegisteredTool): RegisteredTool;
  /** Layer 1 of the system prompt. loop: §6.2. */
  readonly baseInstructions: string;
  /** Names of the instruction files this family reads. loop: §6.5. */
  readonly documentNames: readonly string[];
  /** Time a command gets by default, in milliseconds. loop: §3.5, §5.4. */
  readonly commandTimeoutMs: number;
  /** Size of the model's context window in tokens. */
  readonly contextWindowTokens: number;
  /** Whether a reasoning effort is passed on. */
  readonly supportsReasoning: boolean;
  /** Whether answers are streamed. */
  readonly supportsStreaming: boolean;
  /** Whether the calls of one answer run side by side. */
  readonly supportsParallelToolCalls: boolean;
  /** Assembles the system prompt. loop: build_system_prompt, §3.2, §6.1. */
  buildSystemPrompt(layers: SystemPromptLayers): string;
  /** What the model is told about the tools. loop: tools, §3.2. */
  tools(): readonly ToolDefinition[];
  /** What goes to the provider as it is. loop: provider_options, §3.2. */
  providerOptions(): ProviderOptions | undefined;
}
