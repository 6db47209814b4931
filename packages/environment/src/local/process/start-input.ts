/** What a process is started from. */
export interface StartInput {
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Folder to run in, as a path for system calls. */
  readonly cwd: string;
  /** All the variables it sees. */
  readonly variables: Readonly<Record<string, string>>;
  /** A pipe to write to, nothing, or an open descriptor. */
  readonly stdin: "pipe" | "ignore" | number;
  /** Descriptors to write to in place of pipes. */
  readonly output?: { readonly stdout: number; readonly stderr: number } | undefined;
  /** Windows: the arguments are quoted already. */
  readonly verbatim?: boolean | undefined;
  /** Whether the program is a monitor that makes a process namespace for the command. */
  readonly namespaced?: boolean | undefined;
}
