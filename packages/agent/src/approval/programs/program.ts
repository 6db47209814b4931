/** Effect of running a program beyond reading files and printing. */
type Effect = "write" | "run" | "connect";

/**
 * Reason why an approval rule does not cover an option or a form of a program. `elsewhere`: the program works in
 * another folder or with other settings. `discard`: the program deletes or replaces work that cannot be restored.
 */
export type Risk = Effect | "elsewhere" | "discard";

/**
 * A form of a program: the program itself, or one of its subcommands. Options are written as `-a|--all -n|--lines:
 * --color?`. Names of one option are joined by `|`. `:` marks an option with a value, `?` one whose value can only be
 * attached. A kind of value may follow, such as `-f:local`. `-#` matches `-1`, `-20` and so on.
 */
export interface ProgramForm {
  /** Options that a rule covers. */
  readonly options?: string | undefined;
  /** Kinds of the operands in order; the last one repeats. An empty string means no operands. Default: `any`. */
  readonly operands?: string | undefined;
  /** Options, grouped by risk, that a rule covers only if it names them. */
  readonly risks?: Readonly<Partial<Record<Risk, string>>> | undefined;
  /** Options that an operand is equivalent to, by its first character: `+main` of `git push` is `--force`. */
  readonly operandOptions?: Readonly<Record<string, string>> | undefined;
  /** Effects that this form of the program has by design. Default: none, the program only reads and prints. */
  readonly effects?: readonly Effect[] | undefined;
  /** True if a rule covers the form only by naming the program or subcommand, not by a wildcard. */
  readonly isNamedOnly?: boolean | undefined;
  /**
   * Options of which at least one is required for a rule to cover the form. Without them, the program would start an
   * editor or write files.
   */
  readonly needs?: string | undefined;
  /** Risk because of which no rule covers the form, unless the rule contains the whole command. */
  readonly never?: Risk | undefined;
}

/** Describes where a program that runs others takes the inner command from. */
export interface Wrapper {
  /**
   * Number of operands before the inner command, such as the duration of `timeout`. `undefined`: the operands contain
   * no command.
   */
  readonly skip?: number | undefined;
  /** True if assignments such as `A=b` may precede the inner command. */
  readonly assigns?: boolean | undefined;
  /** True if the program joins the operands of the inner command and passes them to a shell. */
  readonly isLine?: boolean | undefined;
  /** Options whose value is a command line. */
  readonly lines?: string | undefined;
  /** Option that makes the first operand a command line: `-c` of shells. */
  readonly lineOption?: string | undefined;
  /** Options that start a command ending at `;` or `+`: `-exec` of find. */
  readonly clauses?: string | undefined;
}

/** A row of the table of programs. */
export interface Program extends ProgramForm {
  /** Names of programs that take the same options. */
  readonly names: readonly string[];
  /** True if the names are aliases of one program. A deny rule for one of them applies to all. */
  readonly isOne?: boolean | undefined;
  /** Documentation of the options. */
  readonly source: string;
  /**
   * Option syntax. `words`: options are single words, such as `-name`, and letters are never combined. `expression`:
   * the same, but `--` does not end the options. Default: as in getopt_long(3).
   */
  readonly style?: "words" | "expression" | undefined;
  /** True if options end at the first operand, and the rest belongs to an inner command or script. */
  readonly stops?: boolean | undefined;
  /** Subcommands by name. Unlisted subcommands are not covered. */
  readonly commands?: Readonly<Record<string, ProgramForm>> | undefined;
  /** Aliases of subcommands: `send-pack` for `push`. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** True if subcommand names can be abbreviated. */
  readonly abbreviates?: boolean | undefined;
  /**
   * Space-separated list of all subcommands, if the program treats any other word as an alias or another program's
   * name.
   */
  readonly builtins?: string | undefined;
  /** How the program runs other programs. `undefined` if it runs none. */
  readonly wraps?: Wrapper | undefined;
  /**
   * When a deny rule treats the command as one that may run any program. `always`: in every form. `inline`: if the
   * program text comes from an argument or standard input. `awk`: if an argument contains awk constructs that run
   * programs.
   */
  readonly hides?: "always" | "inline" | "awk" | undefined;
}
