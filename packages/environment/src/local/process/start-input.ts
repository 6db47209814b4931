/** Input for starting a process. */
export interface StartInput {
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Working folder, as a path for system calls. */
  readonly cwd: string;
  /** All variables of the process. */
  readonly variables: Readonly<Record<string, string>>;
  /** A pipe, nothing, or an open descriptor. */
  readonly stdin: "pipe" | "ignore" | number;
  /** File descriptors that receive the output. `undefined`: pipes. */
  readonly output?: { readonly stdout: number; readonly stderr: number } | undefined;
  /** Windows: true if the arguments are already quoted. */
  readonly verbatim?: boolean | undefined;
  /** True if the program is a monitor that creates a process namespace for the command. */
  readonly namespaced?: boolean | undefined;
}
