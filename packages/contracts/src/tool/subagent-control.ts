/** How the work of a child is going. loop: SubAgentStatus, §7.3. */
export type SubagentStatus = "running" | "completed" | "failed";

/** What a child is to do, and how. loop: spawn_agent, §7.2. */
export interface SubagentTask {
  /** The task in natural language: the child's first input. */
  readonly task: string;
  /** Folder below the working directory that the child is limited to; the parent's own when unset. */
  readonly workingDir?: string | undefined;
  /** The vendor's model id; the parent's when unset. */
  readonly model?: string | undefined;
  /** Most answers of the child's model; 0 or unset means no limit. */
  readonly maxTurns?: number | undefined;
}

/** How far a child is: plain data in its wire form. loop: SubAgentResult, §7.3. */
export interface SubagentResult {
  /** Id of the child. */
  readonly agent_id: string;
  /** How its work is going. */
  readonly status: SubagentStatus;
  /** The last text it said; empty when there is none. */
  readonly output: string;
  /** Whether it came to its end by itself. */
  readonly success: boolean;
  /** Answers of its model so far. */
  readonly turns_used: number;
  /** Why it did not succeed, in one sentence. */
  readonly problem?: string | undefined;
}

/**
 * What a tool may do with the children of its session. Contract: what is done twice under one call id, by whatever
 * process, happens once. loop: §7.2.
 */
export interface SubagentControl {
  /**
   * Starts a child. Throws `subagent.too_deep`, `subagent.too_many`, or what is wrong with its folder as an
   * `environment.*` error.
   */
  spawn(task: SubagentTask, callId: string): Promise<SubagentResult>;
  /** Says something to a child; one that is done begins to work again. Throws `subagent.unknown`, `subagent.closed`. */
  sendInput(agentId: string, options: { readonly message: string; readonly callId: string }): SubagentResult;
  /**
   * Waits until a child is done, or the time (in milliseconds) is up; a child that still works is no error. Throws
   * `subagent.unknown`, `llm.aborted` when the signal fires.
   */
  wait(
    agentId: string,
    options: { readonly timeoutMs?: number | undefined; readonly signal: AbortSignal },
  ): Promise<SubagentResult>;
  /** Ends a child for good. Throws `subagent.unknown`. */
  close(agentId: string): Promise<SubagentResult>;
}
