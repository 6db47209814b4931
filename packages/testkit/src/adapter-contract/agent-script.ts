/** One step of an agent, which the adapter's simulated agent translates to its own protocol. */
export type AgentStep =
  /** Reports its session. */
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
  /** Prints one line of this many bytes. */
  | { readonly do: "long-line"; readonly bytes: number }
  /** Prints a line to standard error, this many times. */
  | { readonly do: "stderr"; readonly text: string; readonly times?: number | undefined }
  /** Waits. */
  | { readonly do: "wait"; readonly ms: number }
  /** Hangs forever. */
  | { readonly do: "hang" }
  /** Starts a process that outlives it and holds its output open. A detached one has its own process group. */
  | { readonly do: "child"; readonly detached?: boolean | undefined }
  /** Exits immediately, with an exit code, or with a signal as in a crash. */
  | { readonly do: "exit"; readonly code?: number | undefined; readonly signal?: "SIGKILL" | undefined };

/** Steps of an agent in one turn. */
export interface AgentTurn {
  /** Steps in order. */
  readonly steps: readonly AgentStep[];
  /** Steps of its process after it has reported the end of the turn. Default: it exits, or waits for the next turn. */
  readonly after?: readonly AgentStep[] | undefined;
  /** Exit code of its process. Default: 0. */
  readonly exitCode?: number | undefined;
  /** Signal that it sends to itself at the end, simulating an external one. */
  readonly signal?: "SIGTERM" | "SIGKILL" | undefined;
  /** True if it ignores SIGTERM. */
  readonly ignoresTerm?: boolean | undefined;
}

/** Inputs of an agent's start. */
export interface ReceivedTurn {
  /** Arguments after those that the factory needs. */
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
