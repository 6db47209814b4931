import type { Client, Usage } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";

/**
 * Why a compaction is looked at: `due` before each model call, `overflow` when a call was refused because it was too
 * long, `asked` by `Session.compact`.
 */
export type CompactionReason = "due" | "overflow" | "asked";

/** What there is to compact. */
export interface CompactionView {
  /** Why it is looked at. */
  readonly reason: CompactionReason;
  /** Tokens of what the model sees: one for four characters, or as the provider counted, whichever is more. */
  readonly tokens: number;
  /** Size of the model's context window in tokens. */
  readonly window: number;
  /** Tokens of the last answer, where there is one. */
  readonly lastUsage: Usage | undefined;
  /** The turns the model sees, in its order: an earlier summary stands before what it left. */
  readonly turns: readonly Turn[];
}

/** One model call of a strategy. */
export interface CompactionRequest {
  /** The instructions. */
  readonly instructions: string;
  /** What they are about. */
  readonly text: string;
  /** The vendor's model id; the session's when unset. */
  readonly model?: string | undefined;
  /** Reaches the model; the session's client when unset. */
  readonly client?: Client | undefined;
  /** Name of a provider of that client; the session's own, or the default of another client, when unset. */
  readonly provider?: string | undefined;
}

/** What a strategy may use. */
export interface CompactionContext {
  /** Fires when the session is stopped. */
  readonly signal: AbortSignal;
  /** Asks a model and reports the usage to the host. Rejects with the call's `llm.*` error. */
  ask(request: CompactionRequest): Promise<string>;
}

/** What is to become of the conversation. */
export interface CompactionPlan {
  /** Stands in for everything that is not kept. */
  readonly summary: string;
  /** How many of the last turns stay as they are; results are never parted from their calls. */
  readonly keptTurns: number;
}

/**
 * Decides when and how a conversation is summarised for the model. Contract: `isDue` is asked before each model call
 * and costs next to nothing; `compact` changes nothing by itself. A rejection leaves the conversation whole, and the
 * host is warned. loop: §5.5, §8 compaction.
 */
export interface CompactionStrategy {
  /** Whether it is time. */
  isDue(view: CompactionView): boolean;
  /** Makes the summary; nothing where there is nothing worth it. */
  compact(view: CompactionView, context: CompactionContext): Promise<CompactionPlan | undefined>;
}

/** What came of a compaction. */
export interface CompactionReport {
  /** Why there was one. */
  readonly reason: CompactionReason;
  /** Approximate tokens of what the model saw before it. */
  readonly tokensBefore: number;
  /** Approximate tokens of what it sees now. */
  readonly tokensAfter: number;
  /** Turns the model saw before it. */
  readonly turnsBefore: number;
  /** Turns it sees now, the summary included. */
  readonly turnsAfter: number;
}
