/** A word of a command, with its quotes removed. */
export interface ShellWord {
  /** The word without its quotes. Expansions are not performed: they appear as `$NAME`, `$` or `$()`. */
  readonly text: string;
  /** True if the shell passes exactly `text` to the program: the word holds no expansion, wildcard or escape. */
  readonly isLiteral: boolean;
}

/** A redirection, such as `2>&1` or `>file`. */
export interface ShellRedirection {
  /** The redirection operator, including a preceding file descriptor, such as `2>`. */
  readonly operator: string;
  readonly target: ShellWord;
}

/** A simple command: program and arguments, without reserved words such as `if` and `do`. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Names of the variables that are assigned before the program. */
  readonly assignments: readonly string[];
  /** Assignments before the program with their values, as `NAME=value`. */
  readonly settings: readonly string[];
  readonly redirections: readonly ShellRedirection[];
  /** Bodies of the here-documents and here-strings that the command reads. */
  readonly inputs: readonly string[];
}

/** Commands of a command line that can be found without running a shell. */
export interface ShellLine {
  /** All commands in order of appearance, including those inside substitutions, groups and loops. */
  readonly commands: readonly ShellCommand[];
  /** True if commands are joined by `;`, `&`, `|` or a newline. */
  readonly hasOperators: boolean;
  /** First construct in the command line that only a shell can interpret. `undefined` if there is none. */
  readonly opaque?: string | undefined;
}
