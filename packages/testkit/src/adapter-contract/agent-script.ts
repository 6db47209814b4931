/**
 * One step of a simulated agent, independent of the protocol. The agent of each adapter translates the step to its
 * protocol.
 */
export type AgentStep =
  /** Reports the start of the session. */
  | { readonly do: "start"; readonly model?: string | undefined }
  /** Emits a text of the model. */
  | { readonly do: "say"; readonly text: string }
  /** Starts a tool call. */
  | { readonly do: "tool"; readonly id: string; readonly name: string; readonly arguments?: unknown }
  /** Ends a tool call. */
  | { readonly do: "tool-end"; readonly id: string; readonly output: string; readonly isError?: boolean | undefined }
  /** Reports token usage of one model request. A repeated id replaces the earlier report. */
  | { readonly do: "usage"; readonly id: string; readonly inputTokens: number; readonly outputTokens: number }
  /** Asks the user and waits. */
  | { readonly do: "ask"; readonly question: string }
  /** Reports how the turn ended, optionally with its token usage. */
  | {
      readonly do: "end";
      readonly kind: "success" | "failure";
      readonly problem?: string | undefined;
      readonly inputTokens?: number | undefined;
      readonly outputTokens?: number | undefined;
    }
  /** Prints a line unchanged. */
  | { readonly do: "line"; readonly text: string }
  /** Prints bytes unchanged, without line end. */
  | { readonly do: "bytes"; readonly base64: string }
  /** Prints one line of the given number of bytes. */
  | { readonly do: "long-line"; readonly bytes: number }
  /** Prints a line to standard error the given number of times. */
  | { readonly do: "stderr"; readonly text: string; readonly times?: number | undefined }
  /** Waits. */
  | { readonly do: "wait"; readonly ms: number }
  /** Hangs forever. */
  | { readonly do: "hang" }
  /**
   * Starts a child process that outlives the agent and keeps the agent's output stream open. A detached child has a
   * separate process group.
   */
  | { readonly do: "child"; readonly detached?: boolean | undefined }
  /** Exits immediately, with an exit code, or with a signal as in a crash. */
  | { readonly do: "exit"; readonly code?: number | undefined; readonly signal?: "SIGKILL" | undefined };

/** Steps that the simulated agent executes in one turn. */
export interface AgentTurn {
  /** Steps in order. */
  readonly steps: readonly AgentStep[];
  /**
   * Steps of the agent's process after it has reported the end of the turn. Default: the process exits, or waits for
   * the next turn.
   */
  readonly after?: readonly AgentStep[] | undefined;
  /** Exit code of the agent's process. Default: 0. */
  readonly exitCode?: number | undefined;
  /** Signal that the agent's process sends to itself at the end, to simulate a signal from outside. */
  readonly signal?: "SIGTERM" | "SIGKILL" | undefined;
  /** True if the agent's process ignores SIGTERM. */
  readonly ignoresTerm?: boolean | undefined;
}

/** Inputs that a simulated agent received for a turn. */
export interface ReceivedTurn {
  /** Arguments of the agent's process, without those that the factory added. */
  readonly args: readonly string[];
  /** Variables of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly cwd: string;
  /** Process id. */
  readonly pid: number;
  /** Prompt. */
  readonly prompt: string;
  /** Conversation id to start or resume. Empty if there is none. */
  readonly sessionId: string;
  /** True if a conversation is resumed. */
  readonly isResumed: boolean;
}
