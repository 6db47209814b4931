import type { RegisteredTool } from "@switchyard/contracts";
import type { NativeTools } from "./native/native-tool.ts";
import type { ToolNames } from "./tool-names.ts";

/** A model family as data: what its models were trained to work with. loop: §3.1. */
export interface ProfileFamily {
  /** Name of the family. */
  readonly id: string;
  /** Written with the names that the model knows the tools by. loop §6.2. */
  readonly baseInstructions: (nameOf: ToolNames) => string;
  /** In the order in which the model sees them. */
  readonly tools: readonly RegisteredTool[];
  /** What the vendor's own agent calls them. architecture: decision 12. */
  readonly nativeTools: NativeTools;
  /** Tools of the vendor's agent that are only offered under its names. */
  readonly nativeOnly?: readonly RegisteredTool[] | undefined;
  /** loop §6.5; every family reads AGENTS.md. */
  readonly documentNames: readonly string[];
  /** loop §3.5, §5.4, in milliseconds. */
  readonly commandTimeoutMs: number;
  /** In tokens. */
  readonly contextWindowTokens: number;
  /** Name under which the provider takes its settings. */
  readonly providerOptionsKey: string;
}
