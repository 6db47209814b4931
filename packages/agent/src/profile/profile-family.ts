import type { RegisteredTool } from "@switchyard/contracts";
import type { NativeTools } from "./native/native-tool.ts";
import type { ToolNames } from "./tool-names.ts";

/** A model family: the tools, instructions and limits its models work best with. See loop: §3.1. */
export interface ProfileFamily {
  /** Name of the family. */
  readonly id: string;
  /** Returns the base instructions. `nameOf` supplies the tool names that the model sees. See loop: §6.2. */
  readonly baseInstructions: (nameOf: ToolNames) => string;
  /** Tools in the order in which the model sees them. */
  readonly tools: readonly RegisteredTool[];
  /** Names and parameters that the tools have in the vendor's own coding agent. See architecture: decision 12. */
  readonly nativeTools: NativeTools;
  /**
   * Tools that are offered only if the model sees native tool names, those of the vendor's own coding agent. Default:
   * none.
   */
  readonly nativeOnly?: readonly RegisteredTool[] | undefined;
  /** Names of instruction files. Every model family reads AGENTS.md. See loop: §6.5. */
  readonly documentNames: readonly string[];
  /** Default command timeout, in milliseconds. See loop: §3.5, §5.4. */
  readonly commandTimeoutMs: number;
  /** Size of the context window, in tokens. */
  readonly contextWindowTokens: number;
  /** Key for provider options in a model request. */
  readonly providerOptionsKey: string;
}
