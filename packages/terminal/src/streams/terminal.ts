/** Output of a command: a terminal, a pipe or a file. */
export interface TextOutput {
  /** True if the output is a terminal. */
  readonly isTerminal: boolean;
  /** Whether colours may be used. */
  readonly hasColour: boolean;
  /** Width of the terminal, in columns. Default: 80 if the output is not a terminal. */
  readonly columns: number;
  /** Height of the terminal, in lines. Default: 24. */
  readonly rows?: number | undefined;
  /** Signal that is aborted, with the reason, when nothing more can be written. Later writes are dropped. */
  readonly closed: AbortSignal;
  /** Signal that is aborted if the reader of the output has closed the pipe. Not aborted if the disk is full. */
  readonly readerGone: AbortSignal;
  /** Writes a text unchanged. */
  write(text: string): void;
  /** Resolves when everything written so far has left the process, or the reader closed the pipe. */
  flushed(): Promise<void>;
}

/** Input stream of a terminal, such as `process.stdin`. */
export type TerminalStream = Pick<NodeJS.ReadStream, "setRawMode" | "isTTY" | "readableEnded" | "destroyed"> &
  NodeJS.ReadableStream;

/** Handle of a key reader, which reads until it is stopped. */
export interface KeyReader {
  /**
   * Whether keys are being read. False while the process is in the background, because the shell then receives the
   * keys.
   */
  readonly isReading: boolean;
  /** Stops reading and restores the terminal. */
  stop(): void;
}

/** Input of a command: a terminal, a pipe or a file. */
export interface TextInput {
  /** True if the input is a terminal. */
  readonly isTerminal: boolean;
  /** Reads the input to its end, as UTF-8. Rejects with `input.unreadable`. */
  readAll(): Promise<string>;
  /**
   * Discards input that the user typed before a question was shown, because it cannot be the response to the question.
   */
  dropTyped(): Promise<void>;
  /**
   * Reads the next line, without its line break; `undefined` at the end of the input. Rejects with the signal's reason.
   */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Passes keys to a listener as they are pressed. Ctrl-C and Ctrl-Z still stop and suspend the process. `undefined` if
   * the input is not a terminal.
   */
  readKeys(listener: (keys: string) => void): KeyReader | undefined;
}

/** Streams, environment variables and clock that views and questions use. */
export interface Terminal {
  /** Standard input. */
  readonly stdin: TextInput;
  /** Standard output: progress and result of the run. */
  readonly stdout: TextOutput;
  /** Standard error: questions and diagnostics. */
  readonly stderr: TextOutput;
  /** Environment variables. With `TERM=dumb` nothing is redrawn. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Current time, in milliseconds since 1970. */
  now(): number;
}
