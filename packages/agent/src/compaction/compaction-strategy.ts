import type { Client, Usage } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";

/**
 * Reason to consider a compaction. `due`: before each model call; `overflow`: a call was rejected as too long; `asked`:
 * `Session.compact` was called.
 */
export type CompactionReason = "due" | "overflow" | "asked";

/** Conversation as a compaction strategy sees it. */
export interface CompactionView {
  /** Reason for considering it. */
  readonly reason: CompactionReason;
  /**
   * Size of the conversation that the model sees, in tokens: one per four characters or the provider's count, whichever
   * is larger.
   */
  readonly tokens: number;
  /** Size of the model's context window, in tokens. */
  readonly window: number;
  /** Usage of the last response. `undefined` before the first one. */
  readonly lastUsage: Usage | undefined;
  /** Turns that the model sees, in order. An earlier summary precedes the turns that it kept. */
  readonly turns: readonly Turn[];
}

/** Model call of a strategy. */
export interface CompactionRequest {
  /** The instructions. */
  readonly instructions: string;
  /** Text to process. */
  readonly text: string;
  /** Model id. Default: the session's. */
  readonly model?: string | undefined;
  /** Client for the call. Default: the session's. */
  readonly client?: Client | undefined;
  /** Provider name for that client. Default: the session's provider, or the client's default for another client. */
  readonly provider?: string | undefined;
}

/** Functions that a strategy can use. */
export interface CompactionContext {
  /** Aborts when the session is stopped. */
  readonly signal: AbortSignal;
  /** Calls a model and reports the usage to the host. Rejects with the call's `llm.*` error. */
  ask(request: CompactionRequest): Promise<string>;
}

/** Result of a strategy. */
export interface CompactionPlan {
  /** Text that replaces all turns that are not kept. */
  readonly summary: string;
  /** Number of last turns that are kept. Results are never separated from their calls. */
  readonly keptTurns: number;
}

/**
 * Decides when and how a conversation is summarised for the model. Contract: `isDue` is called before each model call
 * and must be cheap; `compact` has no side effects. If it rejects, the conversation is unchanged and the host is
 * warned. loop: §5.5, §8 compaction.
 */
export interface CompactionStrategy {
  /** Returns whether a compaction is due. */
  isDue(view: CompactionView): boolean;
  /** Creates the summary. `undefined` if it is not worthwhile. */
  compact(view: CompactionView, context: CompactionContext): Promise<CompactionPlan | undefined>;
}

/** Result of a compaction. */
export interface CompactionReport {
  /** Reason for the compaction. */
  readonly reason: CompactionReason;
  /** Approximate size of the visible conversation before, in tokens. */
  readonly tokensBefore: number;
  /** Approximate size of the visible conversation after, in tokens. */
  readonly tokensAfter: number;
  /** Number of visible turns before. */
  readonly turnsBefore: number;
  /** Number of visible turns after, including the summary. */
  readonly turnsAfter: number;
}
