import type { Wire } from "@switchyard/protocol-server/acp";
import type { StopRequest, TextInput, TextOutput } from "@switchyard/terminal";

/**
 * Progress of a command, which determines the exit code of a failure. Copies of a context share one progress object.
 */
export interface CommandProgress {
  /** True once the command has started work with effects: a run, an evaluation, or changes to files. */
  hasStarted: boolean;
  /** Sentence that names where the result is stored. It is printed if the output of the command is lost. */
  keptAt?: string | undefined;
}

/**
 * Interface to the process that executes a command: arguments, environment variables, folders, streams, clock and
 * signals. All other code of the command-line program uses it instead of accessing the process.
 */
export interface CommandContext {
  /** Arguments after the program name. */
  readonly words: readonly string[];
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder the command was started in. */
  readonly workingDirectory: string;
  /**
   * Home folder of the user; `undefined` if there is none, for example in a container whose user is not in
   * `/etc/passwd`.
   */
  readonly homeDirectory: string | undefined;
  /** Folder for temporary files. */
  readonly temporaryDirectory: string;
  /** Folder with data files that are shipped with the program, such as templates. */
  readonly assetDirectory: string;
  /** Imports a third-party module by its absolute path, which runs the module's code. */
  readonly importModule: (path: string) => Promise<unknown>;
  /** Version of this program. */
  readonly version: string;
  /** Progress of the command. */
  readonly progress: CommandProgress;
  /** Standard input. */
  readonly stdin: TextInput;
  /** Standard output: results. */
  readonly stdout: TextOutput;
  /** Standard error: diagnostics. */
  readonly stderr: TextOutput;
  /**
   * Returns standard input and output for a protocol. After this call, nothing else may read standard input or print to
   * standard output.
   */
  openWire(): Wire;
  /** Current time, in milliseconds since 1970. */
  now(): number;
  /**
   * Calls the listener for every request to stop (Ctrl-C, SIGTERM, SIGHUP) until the returned function is called.
   * Without a listener, such a request ends the process with exit code 130.
   */
  onStopRequest(listener: (request: StopRequest) => void): () => void;
  /**
   * Calls the listener for every uncaught error until the returned function is called. If there are several listeners,
   * the latest is called first. Without a listener, an uncaught error ends the process with a stack trace.
   */
  onCrash(listener: (error: unknown) => void): () => void;
  /** First signal that asked the command to stop; `undefined` if there was none. */
  readonly stopSignal: NodeJS.Signals | undefined;
  /**
   * Ends the process immediately. If a signal asked the command to stop, exit code 130 is replaced by 128 plus the
   * signal's number.
   */
  exit(code: number): never;
}
