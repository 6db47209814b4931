import type { Client, Usage } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";

/**
 * Reason for a compaction. `due`: checked before each model call. `overflow`: the provider rejected a call as too long.
 * `asked`: `Session.compact` was called.
 */
export type CompactionReason = "due" | "overflow" | "asked";

/** Conversation to compact. */
export interface CompactionView {
  /** Reason for the compaction. */
  readonly reason: CompactionReason;
  /**
   * Number of tokens of the turns that the model sees: the larger of the provider's count and an estimate of four
   * characters per token.
   */
  readonly tokens: number;
  /** Size of the model's context window, in tokens. */
  readonly window: number;
  /** Usage of the last response. `undefined` if there is none. */
  readonly lastUsage: Usage | undefined;
  /**
   * Turns in the order in which the model sees them. The summary of an earlier compaction comes before the turns which
   * that compaction preserved.
   */
  readonly turns: readonly Turn[];
}

/** One model call of a compaction strategy. */
export interface CompactionRequest {
  /** System message. */
  readonly instructions: string;
  /** Text of the request's user message, usually the text to summarize. */
  readonly text: string;
  /** The vendor's model id. Default: the session's model. */
  readonly model?: string | undefined;
  /** Client for the call. Default: the session's client. */
  readonly client?: Client | undefined;
  /**
   * Name of the provider in the client. Default: the session's provider, or the client's default provider if `client`
   * is set.
   */
  readonly provider?: string | undefined;
}

/** Context passed to a compaction strategy. */
export interface CompactionContext {
  /** Signal that aborts when the session is stopped. */
  readonly signal: AbortSignal;
  /**
   * Calls a model, reports the usage to the host and resolves with the text of the response. Rejects with the call's
   * `llm.*` error.
   */
  ask(request: CompactionRequest): Promise<string>;
}

/** Result of a compaction strategy. */
export interface CompactionPlan {
  /** Summary that replaces all turns that are not preserved. */
  readonly summary: string;
  /** Number of most recent turns to preserve unchanged. Tool results are never separated from their calls. */
  readonly keptTurns: number;
}

/**
 * Decides when and how a conversation is summarized for the model. Contract: `isDue` is called before each model call
 * and must be fast. `compact` has no side effects on the conversation. If it rejects, the conversation is unchanged and
 * the host is warned. See loop: §5.5, §8 compaction.
 */
export interface CompactionStrategy {
  /** Returns whether to compact now. */
  isDue(view: CompactionView): boolean;
  /** Resolves with the summary, or with `undefined` if compaction is not worthwhile. */
  compact(view: CompactionView, context: CompactionContext): Promise<CompactionPlan | undefined>;
}

/** Result of a compaction. */
export interface CompactionReport {
  /** Reason for the compaction. */
  readonly reason: CompactionReason;
  /** Approximate number of tokens of the turns that the model saw before compaction. */
  readonly tokensBefore: number;
  /** Approximate number of tokens of the turns that the model sees after compaction. */
  readonly tokensAfter: number;
  /** Number of turns that the model saw before compaction. */
  readonly turnsBefore: number;
  /** Number of turns that the model sees after compaction, including the summary. */
  readonly turnsAfter: number;
}
