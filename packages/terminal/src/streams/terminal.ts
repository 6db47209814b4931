/** Output of a command: a terminal, a pipe or a file. */
export interface TextOutput {
  /** True if the output is a terminal. */
  readonly isTerminal: boolean;
  /** Whether colours may be used. */
  readonly hasColour: boolean;
  /** Width of the terminal in characters; 80 without one. */
  readonly columns: number;
  /** Aborted, with the reason, when nothing more can be written. Later writes are dropped. */
  readonly closed: AbortSignal;
  /** Aborted if the reader of the output is gone, but not if the disk is full. */
  readonly readerGone: AbortSignal;
  /** Writes a text unchanged. */
  write(text: string): void;
  /** Resolves when everything written so far has left the process, or the reader closed the pipe. */
  flushed(): Promise<void>;
}

/** Input stream of a terminal, such as `process.stdin`. */
export type TerminalStream = Pick<NodeJS.ReadStream, "setRawMode" | "isTTY" | "readableEnded" | "destroyed"> &
  NodeJS.ReadableStream;

/** Reads keys until it is stopped. */
export interface KeyReader {
  /** Whether keys arrive now. While the command is in the background, they belong to the shell. */
  readonly isReading: boolean;
  /** Stops reading and restores the terminal. */
  stop(): void;
}

/** Input of a command: a terminal, a pipe or a file. */
export interface TextInput {
  /** True if the input is a terminal. */
  readonly isTerminal: boolean;
  /** Reads everything up to the end, as UTF-8. Rejects with `input.unreadable`. */
  readAll(): Promise<string>;
  /** Discards input typed before a question was shown, because it is not an answer to it. */
  dropTyped(): Promise<void>;
  /** Reads the next line, without its end; `undefined` at the end of the input. Rejects with the signal's reason. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Passes keys to a listener as they are pressed; Ctrl-C and Ctrl-Z keep their meaning. `undefined` without a
   * terminal.
   */
  readKeys(listener: (keys: string) => void): KeyReader | undefined;
}

/** Streams, variables and clock that views and questions use. */
export interface Terminal {
  /** Standard input. */
  readonly stdin: TextInput;
  /** Standard output: the run and its result. */
  readonly stdout: TextOutput;
  /** Standard error: questions and diagnostics. */
  readonly stderr: TextOutput;
  /** Environment variables. With `TERM=dumb` nothing is redrawn. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Current time, in milliseconds since 1970. */
  now(): number;
}
