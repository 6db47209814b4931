import type {
  ExecutionEnvironment,
  ToolArguments,
  ToolEffects,
  ToolRevision,
  ToolTargets,
  UserPrompt,
  UserReply,
} from "@switchyard/contracts";

/** Valid tool call that waits for a decision before it runs. loop: §8, approvals. */
export interface ApprovalRequest {
  /** Id of the call. */
  readonly callId: string;
  /** Tool name that the model uses. */
  readonly tool: string;
  /** The tool's own name, if it differs from the one that the model uses. */
  readonly canonicalName?: string | undefined;
  /** Arguments of the call. They come from the model and are untrusted. */
  readonly args: ToolArguments;
  /** Declared effects of the tool. */
  readonly effects: ToolEffects;
  /** Version of the tool's definition, if a server can change it. */
  readonly revision?: ToolRevision | undefined;
  /** Targets of the call. `undefined` if the tool does not report them. */
  readonly targets?: ToolTargets | undefined;
  /** Session that makes the call. */
  readonly sessionId: string;
  /** Subagent that makes the call. `undefined` for the session itself. */
  readonly agentId?: string | undefined;
}

/** Decision about a call. */
export interface ApprovalDecision {
  /** Whether the call runs. */
  readonly decision: "allow" | "deny";
  /** Source of the decision: `rule`, `user`, or a host-defined name. */
  readonly decidedBy: string;
  /** Reason, written for the model. */
  readonly reason?: string | undefined;
  /** Returns true for files that the call must not show. Used for tools that declare `omitsHiddenFiles`. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
}

/** Asks the user and waits for the reply. Contract: rejects with `prompt.unavailable` if no user can be asked. */
export type AskUser = (prompt: UserPrompt, options: { readonly signal: AbortSignal }) => Promise<UserReply>;

/** Context for a decision. */
export interface ApprovalContext {
  /** Aborts when the decision is no longer needed. */
  readonly signal: AbortSignal;
  /** Environment in which the call would run. */
  readonly environment: ExecutionEnvironment;
  /** Asks the user. `undefined` if the session has no user. */
  readonly askUser?: AskUser | undefined;
  /**
   * Waits for a person without counting the time towards the run's time limit. Rejects with the signal's reason when it
   * aborts. `askUser` does this itself.
   */
  readonly whileAsking?: (<T>(act: () => Promise<T>) => Promise<T>) | undefined;
  /** Resolves when all earlier calls are decided. Await it before asking the user. */
  readonly turn: () => Promise<void>;
}

/**
 * Decides whether a call runs, after validation and before execution. A rejection denies the call. Contract: calls of
 * one response are decided concurrently, and again when they are repeated after a crash. loop: §8.
 */
export type ApproveToolCall = (
  request: ApprovalRequest,
  context: ApprovalContext,
) => ApprovalDecision | Promise<ApprovalDecision>;
