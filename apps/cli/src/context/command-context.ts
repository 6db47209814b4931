import type { StopRequest, TextInput, TextOutput } from "@switchyard/terminal";

/** Both directions of a protocol that is spoken over standard input and output. */
export interface Wire {
  /** What comes in. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What goes out; a write is over when it has left the process. */
  readonly writable: WritableStream<Uint8Array>;
}

/** Progress of a command, which decides the exit code of a failure. Copies of a context share it. */
export interface CommandProgress {
  /** True once work was started that has effects: a run, an evaluation, a change of files. */
  hasStarted: boolean;
  /** Sentence that says where the result is stored, for a command whose output is lost. */
  keptAt?: string | undefined;
}

/** Process of a command: words, variables, folders, streams, clock and signals. Nothing else in this package reads the process. */
export interface CommandContext {
  /** Words behind the name of the command. */
  readonly words: readonly string[];
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder the command was started in. */
  readonly workingDirectory: string;
  /** Home folder of the user; `undefined` if nothing names one, as in a container whose user has no entry. */
  readonly homeDirectory: string | undefined;
  /** Folder for temporary files. */
  readonly temporaryDirectory: string;
  /** Folder with the files that are shipped beside the program. */
  readonly assetDirectory: string;
  /** Loads somebody else's module by its absolute path, which runs its code. */
  readonly importModule: (path: string) => Promise<unknown>;
  /** Version of this release. */
  readonly version: string;
  /** How far the command has come. */
  readonly progress: CommandProgress;
  /** Standard input. */
  readonly stdin: TextInput;
  /** Standard output: results. */
  readonly stdout: TextOutput;
  /** Standard error: diagnostics. */
  readonly stderr: TextOutput;
  /** Hands out standard input and output for a protocol: nothing else may be read or printed there from then on. */
  openWire(): Wire;
  /** The time, as milliseconds since 1970. */
  now(): number;
  /**
   * Calls back for every request to stop (Ctrl-C, SIGTERM, SIGHUP) until the returned function is called. While
   * nobody listens, such a request ends the process with exit code 130.
   */
  onStopRequest(listener: (request: StopRequest) => void): () => void;
  /**
   * Calls back for an error that nobody caught until the returned function is called, the latest listener first;
   * without one it ends the process with a stack trace.
   */
  onCrash(listener: (error: unknown) => void): () => void;
  /** The first signal that asked the command to stop. */
  readonly stopSignal: NodeJS.Signals | undefined;
  /** Ends the process at once; 130 becomes 128 plus the number of the signal that asked for it. */
  exit(code: number): never;
}
