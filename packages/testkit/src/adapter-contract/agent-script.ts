/** One thing that an agent does; its adapter's own fake says it in the agent's own words. */
export type AgentStep =
  /** Announces its session. */
  | { readonly do: "start"; readonly model?: string | undefined }
  /** The model says something. */
  | { readonly do: "say"; readonly text: string }
  /** A tool call begins. */
  | { readonly do: "tool"; readonly id: string; readonly name: string; readonly arguments?: unknown }
  /** A tool call ends. */
  | { readonly do: "tool-end"; readonly id: string; readonly output: string; readonly isError?: boolean | undefined }
  /** One request of the model used tokens; the same id is told again. */
  | { readonly do: "usage"; readonly id: string; readonly inputTokens: number; readonly outputTokens: number }
  /** The agent asks a person, and goes no further. */
  | { readonly do: "ask"; readonly question: string }
  /** The agent says how its turn ended, with the tokens of the turn where they are given. */
  | {
      readonly do: "end";
      readonly kind: "success" | "failure";
      readonly problem?: string | undefined;
      readonly inputTokens?: number | undefined;
      readonly outputTokens?: number | undefined;
    }
  /** Prints a line as it is. */
  | { readonly do: "line"; readonly text: string }
  /** Prints bytes as they are, without a line's end. */
  | { readonly do: "bytes"; readonly base64: string }
  /** Prints one line of so many bytes. */
  | { readonly do: "long-line"; readonly bytes: number }
  /** Prints a line to standard error, so many times. */
  | { readonly do: "stderr"; readonly text: string; readonly times?: number | undefined }
  /** Waits. */
  | { readonly do: "wait"; readonly ms: number }
  /** Does nothing more, for ever. */
  | { readonly do: "hang" }
  /** Starts a process that lives on and holds the output open; a detached one has a group of its own. */
  | { readonly do: "child"; readonly detached?: boolean | undefined }
  /** Ends its process at once: by an exit code, or by a signal as in a crash. */
  | { readonly do: "exit"; readonly code?: number | undefined; readonly signal?: "SIGKILL" | undefined };

/** What an agent does in one turn. */
export interface AgentTurn {
  /** What it does, in order. */
  readonly steps: readonly AgentStep[];
  /** What its process does after it has told how the turn ended. By default it exits, or waits for its next turn. */
  readonly after?: readonly AgentStep[] | undefined;
  /** What its process exits with; 0 by default. */
  readonly exitCode?: number | undefined;
  /** Signal that it sends to itself in the end, as somebody from outside might. */
  readonly signal?: "SIGTERM" | "SIGKILL" | undefined;
  /** Whether it does not listen to SIGTERM. */
  readonly ignoresTerm?: boolean | undefined;
}

/** What an agent was started with. */
export interface ReceivedTurn {
  /** Arguments behind those that the factory needs. */
  readonly args: readonly string[];
  /** Variables that it saw. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder it ran in. */
  readonly cwd: string;
  /** Its process. */
  readonly pid: number;
  /** What it was asked. */
  readonly prompt: string;
  /** Id of the conversation that it was told to begin or to go on with; empty where there is none. */
  readonly sessionId: string;
  /** Whether it was told to go on with a conversation. */
  readonly isResumed: boolean;
}
