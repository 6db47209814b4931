import type {
  ExecutionEnvironment,
  ToolArguments,
  ToolEffects,
  ToolRevision,
  ToolTargets,
  UserPrompt,
  UserReply,
} from "@switchyard/contracts";

/** A call that waits for a decision: valid, and not begun. loop: §8, approvals. */
export interface ApprovalRequest {
  /** Id of the call. */
  readonly callId: string;
  /** Name of the tool as the model knows it. */
  readonly tool: string;
  /** The tool's own name, where the model knows it by another. */
  readonly canonicalName?: string | undefined;
  /** The arguments it would run with. They come from the model: nothing in them can be trusted. */
  readonly args: ToolArguments;
  /** What the tool says that it may change. */
  readonly effects: ToolEffects;
  /** Version of the tool's definition, if a server can change it. */
  readonly revision?: ToolRevision | undefined;
  /** What the call touches, where the tool can tell. */
  readonly targets?: ToolTargets | undefined;
  /** Session that asks. */
  readonly sessionId: string;
  /** Subagent that asks; the session itself when unset. */
  readonly agentId?: string | undefined;
}

/** What was decided about a call. */
export interface ApprovalDecision {
  /** Whether it runs. */
  readonly decision: "allow" | "deny";
  /** Who decided: `rule`, `user`, or a word of the host's own. */
  readonly decidedBy: string;
  /** Why, in words for the model. */
  readonly reason?: string | undefined;
  /** Files of which a call that runs shows nothing, where its tool says that it `omitsHiddenFiles` such. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
}

/** Asks the user and waits. Contract: rejects with `prompt.unavailable` where nobody can answer. */
export type AskUser = (prompt: UserPrompt, options: { readonly signal: AbortSignal }) => Promise<UserReply>;

/** What a decision can use. */
export interface ApprovalContext {
  /** Fires when nobody waits for the decision any more. */
  readonly signal: AbortSignal;
  /** Where the call would run. */
  readonly environment: ExecutionEnvironment;
  /** Asks the user, where the session can. */
  readonly askUser?: AskUser | undefined;
  /**
   * Does something in which a person is waited for, so that it does not count as time worked; rejects with the signal's
   * reason when that fires. `askUser` does it by itself.
   */
  readonly whileAsking?: (<T>(act: () => Promise<T>) => Promise<T>) | undefined;
  /** Resolves when all calls in front of this one are decided: whoever asks somebody waits for it first. */
  readonly turn: () => Promise<void>;
}

/**
 * Decides whether a call runs. Called between validation and execution; a rejection is a denial. Contract: calls of one
 * answer are decided side by side, and again when they are made again after a crash. loop: §8.
 */
export type ApproveToolCall = (
  request: ApprovalRequest,
  context: ApprovalContext,
) => ApprovalDecision | Promise<ApprovalDecision>;
