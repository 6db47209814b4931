import type { RegisteredTool } from "@switchyard/contracts";
import type { NativeTools } from "./native/native-tool.ts";
import type { ToolNames } from "./tool-names.ts";

/** Model family, as data about what its models were trained with. loop: §3.1. */
export interface ProfileFamily {
  /** Name of the family. */
  readonly id: string;
  /** Base instructions, which use the tool names that the model sees. loop §6.2. */
  readonly baseInstructions: (nameOf: ToolNames) => string;
  /** Tools in the order in which the model sees them. */
  readonly tools: readonly RegisteredTool[];
  /** The vendor's names for them. architecture: decision 12. */
  readonly nativeTools: NativeTools;
  /** Tools of the vendor's agent that are offered only under its names. */
  readonly nativeOnly?: readonly RegisteredTool[] | undefined;
  /** Names of instruction files. Every family reads AGENTS.md. loop §6.5. */
  readonly documentNames: readonly string[];
  /** Default timeout of commands, in milliseconds. loop §3.5, §5.4. */
  readonly commandTimeoutMs: number;
  /** Size of the context window, in tokens. */
  readonly contextWindowTokens: number;
  /** Name of the provider in its options. */
  readonly providerOptionsKey: string;
}
