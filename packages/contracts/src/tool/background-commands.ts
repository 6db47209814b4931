/** One command that runs beside the conversation. */
export interface BackgroundCommand {
  /** The id of the call that started it: the same in every process that goes on with the conversation. */
  readonly id: string;
  /** The command line. */
  readonly command: string;
  /** Whether it is still running. */
  readonly isRunning: boolean;
  /** Exit code, once it has ended. */
  readonly exitCode?: number | undefined;
  /** Name of the signal that ended it. */
  readonly signal?: string | undefined;
  /** How long it has been running, or ran, in milliseconds. */
  readonly durationMs: number;
}

/** What is run in the background. */
export interface BackgroundCommandLine {
  /** A line for the platform's shell. */
  readonly command: string;
  /** Folder to run in; the working directory by default. */
  readonly cwd?: string | undefined;
}

/** A background command with what it printed since somebody last asked. */
export interface BackgroundOutput extends BackgroundCommand {
  /** Standard output and standard error in the order of arrival. */
  readonly output: string;
  /** Characters that are missing before it: nobody asked for so long that they no longer fitted. */
  readonly droppedChars: number;
}

/**
 * The background commands of a session. Contract: none of them outlives the session; output that nobody has asked for
 * waits in bounded memory.
 */
export interface BackgroundCommands {
  /** Starts a command line; rejects with `environment.*` errors. The id is that of the call that asks for it. */
  start(id: string, line: BackgroundCommandLine): Promise<BackgroundCommand>;
  /** What is new, after waiting for the command to end for at most `waitMs`; nothing for an id that is not known. */
  poll(id: string, options: { waitMs: number; signal: AbortSignal }): Promise<BackgroundOutput | undefined>;
  /** Ends a command with everything it started, and gives what it printed; nothing for an id that is not known. */
  kill(id: string): Promise<BackgroundOutput | undefined>;
  /** Every command that was started, oldest first. */
  list(): readonly BackgroundCommand[];
  /** Whether a call with this id is a part of the conversation: an earlier process may have started its command. */
  isOfConversation(id: string): boolean;
}
