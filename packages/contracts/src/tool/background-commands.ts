/** A command that runs in the background of the conversation. */
export interface BackgroundCommand {
  /** Id of the tool call that started the command. It stays the same when the conversation is resumed. */
  readonly id: string;
  /** The command line. */
  readonly command: string;
  /** True if the command is still running. */
  readonly isRunning: boolean;
  /** Exit code; `undefined` while the command is running. */
  readonly exitCode?: number | undefined;
  /** Name of the signal that ended the command. `undefined` if no signal did. */
  readonly signal?: string | undefined;
  /** Running time, in milliseconds. */
  readonly durationMs: number;
}

/** A command line to run in the background. */
export interface BackgroundCommandLine {
  /** Command line for the platform's shell. */
  readonly command: string;
  /** Working folder. Default: the working directory. */
  readonly cwd?: string | undefined;
}

/** A background command with its output since the last poll. */
export interface BackgroundOutput extends BackgroundCommand {
  /** Standard output and standard error in the order of arrival. */
  readonly output: string;
  /** Number of characters of earlier output that are missing before `output`, because the buffer was full. */
  readonly droppedChars: number;
}

/**
 * The background commands of a session. Contract: all of them end with the session; unread output is stored in bounded
 * memory.
 */
export interface BackgroundCommands {
  /** Starts a command; `id` is the id of the tool call. Rejects with `environment.*` errors. */
  start(id: string, line: BackgroundCommandLine): Promise<BackgroundCommand>;
  /** Waits up to `waitMs` for the command to end and resolves with its new output; `undefined` for an unknown id. */
  poll(id: string, options: { waitMs: number; signal: AbortSignal }): Promise<BackgroundOutput | undefined>;
  /** Ends a command and all its processes, and resolves with its output; `undefined` for an unknown id. */
  kill(id: string): Promise<BackgroundOutput | undefined>;
  /** Returns all commands, oldest first. */
  list(): readonly BackgroundCommand[];
  /**
   * Returns true if a tool call of this id is part of the conversation. The background command of that call may have
   * been started by an earlier process.
   */
  isOfConversation(id: string): boolean;
}
