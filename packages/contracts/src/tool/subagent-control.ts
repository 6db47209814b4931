/** Status of a subagent. See loop: SubAgentStatus, §7.3. */
export type SubagentStatus = "running" | "completed" | "failed";

/** Task of a subagent, with its settings. See loop: spawn_agent, §7.2. */
export interface SubagentTask {
  /** Task in natural language: the first input of the subagent. */
  readonly task: string;
  /** Folder below the working directory that the subagent is confined to. Default: the folder of the parent agent. */
  readonly workingDir?: string | undefined;
  /** The provider's model id. Default: the parent's model. */
  readonly model?: string | undefined;
  /** Maximum number of model responses. 0 or `undefined`: no limit. */
  readonly maxTurns?: number | undefined;
}

/** State of a subagent, in wire format. See loop: SubAgentResult, §7.3. */
export interface SubagentResult {
  /** Id of the subagent. */
  readonly agent_id: string;
  /** Status of the subagent. */
  readonly status: SubagentStatus;
  /** Text of the subagent's last message; empty if there is none. */
  readonly output: string;
  /** True if it completed. */
  readonly success: boolean;
  /** Number of model responses so far. */
  readonly turns_used: number;
  /** Why the subagent did not succeed, in one sentence. `undefined` if it succeeded. */
  readonly problem?: string | undefined;
}

/**
 * Controls the subagents of a session. Contract: calls are idempotent per call id, also across processes. See loop:
 * §7.2.
 */
export interface SubagentControl {
  /**
   * Starts a subagent. Throws `subagent.too_deep`, `subagent.too_many`, or an `environment.*` error if the subagent's
   * folder cannot be used.
   */
  spawn(task: SubagentTask, callId: string): Promise<SubagentResult>;
  /**
   * Sends a message to a subagent; a subagent that has finished resumes work. Throws `subagent.unknown` or
   * `subagent.closed`.
   */
  sendInput(agentId: string, options: { readonly message: string; readonly callId: string }): SubagentResult;
  /**
   * Waits until a subagent has finished or the time limit, in milliseconds, is reached; reaching the limit is not an
   * error. Throws `subagent.unknown`, or `llm.aborted` when the signal aborts.
   */
  wait(
    agentId: string,
    options: { readonly timeoutMs?: number | undefined; readonly signal: AbortSignal },
  ): Promise<SubagentResult>;
  /** Ends a subagent permanently. Throws `subagent.unknown`. */
  close(agentId: string): Promise<SubagentResult>;
}
