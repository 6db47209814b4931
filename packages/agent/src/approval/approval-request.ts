import type {
  ExecutionEnvironment,
  ToolArguments,
  ToolEffects,
  ToolRevision,
  ToolTargets,
  UserPrompt,
  UserReply,
} from "@switchyard/contracts";

/** A valid tool call that waits for a decision and has not started. See loop: §8, approvals. */
export interface ApprovalRequest {
  /** Id of the call. */
  readonly callId: string;
  /** Tool name as the model knows it. */
  readonly tool: string;
  /** Canonical tool name, if the model knows the tool by another name. */
  readonly canonicalName?: string | undefined;
  /** Arguments of the call. They come from the model and are untrusted. */
  readonly args: ToolArguments;
  /** Declared effects of the tool. */
  readonly effects: ToolEffects;
  /** Version of the tool definition. `undefined` for built-in tools, whose definitions cannot change. */
  readonly revision?: ToolRevision | undefined;
  /** Resources that the call accesses. `undefined` if the tool cannot report them. */
  readonly targets?: ToolTargets | undefined;
  /** Id of the session that makes the call. */
  readonly sessionId: string;
  /** Id of the subagent that makes the call. `undefined` if the session itself makes it. */
  readonly agentId?: string | undefined;
}

/** Decision about a tool call. */
export interface ApprovalDecision {
  /** Whether the call runs. */
  readonly decision: "allow" | "deny";
  /** Source of the decision: `rule`, `user`, or an identifier chosen by the host. */
  readonly decidedBy: string;
  /** Reason for the outcome, reported to the model. */
  readonly reason?: string | undefined;
  /**
   * Returns true for files that an allowed call must omit from its output. Applies only to tools that report
   * `omitsHiddenFiles`.
   */
  readonly isHidden?: ((path: string) => boolean) | undefined;
}

/** Asks the user and resolves with the reply. Contract: rejects with `prompt.unavailable` if no user can answer. */
export type AskUser = (prompt: UserPrompt, options: { readonly signal: AbortSignal }) => Promise<UserReply>;

/** Context of an approval decision. */
export interface ApprovalContext {
  /** Signal that aborts when the decision is no longer needed. */
  readonly signal: AbortSignal;
  /** Environment in which the call would run. */
  readonly environment: ExecutionEnvironment;
  /** Asks the user. `undefined` if the session cannot ask. */
  readonly askUser?: AskUser | undefined;
  /**
   * Runs an action that waits for a person, without counting the wait as active time. Rejects with the signal's reason
   * when the signal aborts. `askUser` does this automatically.
   */
  readonly withPausedTimeout?: (<T>(act: () => Promise<T>) => Promise<T>) | undefined;
  /**
   * Resolves when all earlier calls of the response are decided. Await it before asking the user, so that questions
   * keep the order of the calls.
   */
  readonly turn: () => Promise<void>;
}

/**
 * Decides whether a call runs, after validation and before execution. A rejection denies the call. Contract: the calls
 * of one response are decided concurrently. A call that is repeated after a crash is decided again. See loop: §8.
 */
export type ApproveToolCall = (
  request: ApprovalRequest,
  context: ApprovalContext,
) => ApprovalDecision | Promise<ApprovalDecision>;
