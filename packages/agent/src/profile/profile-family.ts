import type { RegisteredTool } from "@switchyard/contracts";

/** A model family as data: what its models were trained to work with. loop: §3.1. */
export interface ProfileFamily {
  /** Name of the family. */
  readonly id: string;
  /** loop §6.2. */
  readonly baseInstructions: string;
  /** In the order in which the model sees them. */
  readonly tools: readonly RegisteredTool[];
  /** loop §6.5; every family reads AGENTS.md. */
  readonly documentNames: readonly string[];
  /** loop §3.5, §5.4, in milliseconds. */
  readonly commandTimeoutMs: number;
  /** In tokens. */
  readonly contextWindowTokens: number;
  /** Name under which the provider takes its settings. */
  readonly providerOptionsKey: string;
}
