/** Input for starting a process. */
export interface StartInput {
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Working folder, as a path that can be passed to system calls. */
  readonly cwd: string;
  /** All variables of the process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Standard input of the process: a pipe, nothing, or an open file descriptor. */
  readonly stdin: "pipe" | "ignore" | number;
  /** File descriptors that receive the output. `undefined`: pipes. */
  readonly output?: { readonly stdout: number; readonly stderr: number } | undefined;
  /** Windows: true if the arguments are already quoted. */
  readonly verbatim?: boolean | undefined;
  /** True if the program only monitors a process (PID) namespace, in which it starts the actual command. */
  readonly namespaced?: boolean | undefined;
}
