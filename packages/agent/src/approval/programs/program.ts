/** Effect of running a program beyond reading files and printing. */
type Effect = "write" | "run" | "connect";

/**
 * Reason why an approval rule does not cover an option, a program or a subcommand. `elsewhere`: the program works in
 * another folder or with other settings. `discard`: the program deletes or replaces work that cannot be restored.
 */
export type Risk = Effect | "elsewhere" | "discard";

/**
 * Arguments of a program or of one of its subcommands. Options are written as `-a|--all -n|--lines: --color?`. `|`
 * separates the names of one option. `:` marks an option with a value. `?` marks an option whose optional value is part
 * of the same word, as in `--color=always`. The expected kind of value may follow, as in `-f:local`. `-#` matches `-1`,
 * `-20` and so on.
 */
export interface ProgramForm {
  /** Options that an approval rule covers. */
  readonly options?: string | undefined;
  /**
   * Expected kinds of the operands, in order; the last kind applies to all further operands. An empty string means no
   * operands. Default: `any`.
   */
  readonly operands?: string | undefined;
  /** Options that an approval rule covers only if it names them, grouped by risk. */
  readonly risks?: Readonly<Partial<Record<Risk, string>>> | undefined;
  /**
   * Maps the first character of an operand to the option that such an operand stands for. For example, `+main` of `git
   * push` means `--force`.
   */
  readonly operandOptions?: Readonly<Record<string, string>> | undefined;
  /** Effects that this program or subcommand has by design. Default: none, it only reads and prints. */
  readonly effects?: readonly Effect[] | undefined;
  /** True if a rule covers the program or subcommand only by spelling out its name, not by a wildcard. */
  readonly isNamedOnly?: boolean | undefined;
  /**
   * Options of which the command must contain at least one, or no rule covers it. Without them, the program would start
   * an editor or write files.
   */
  readonly needs?: string | undefined;
  /**
   * Risk of the command. If set, a rule covers the command only if the rule spells out the whole command. `undefined`:
   * no risk.
   */
  readonly never?: Risk | undefined;
  /**
   * True if the last operand may be a folder into which the other operands are copied. Symbolic links in that folder
   * can redirect the copies to other places.
   */
  readonly copies?: boolean | undefined;
  /** Operand after which a command line follows: `run` of `git bisect run make test`. */
  readonly lineAfter?: string | undefined;
  /** True if the operands of this subcommand are a command that it runs, as in `uv run pytest`. */
  readonly runsOperands?: boolean | undefined;
}

/** Describes which arguments of a program such as `sudo` contain the inner command that it runs. */
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
  /** Options whose value is a command line, or a setting such as `core.pager=less` that contains one. */
  readonly lines?: string | undefined;
  /** Options with which the program prints where the inner command is, instead of running it: `command -v`. */
  readonly prints?: string | undefined;
  /** Option that makes the first operand a command line: `-c` of shells. */
  readonly lineOption?: string | undefined;
  /** Options that start a command ending at `;` or `+`: `-exec` of find. */
  readonly clauses?: string | undefined;
}

/** A row of the table of known programs. */
export interface Program extends ProgramForm {
  /** Names of programs that take the same options. */
  readonly names: readonly string[];
  /** True if the names are aliases of one program. A deny rule for one of them applies to all. */
  readonly isOne?: boolean | undefined;
  /** Documentation of the options. */
  readonly source: string;
  /**
   * Option syntax. `words`: options are single words, such as `-name`, and letters are never combined. `expression`:
   * the same, but `--` does not end the options. `detached`: letters can be combined, but the value of a letter is
   * always the next word. Default: as in getopt_long(3).
   */
  readonly style?: "words" | "expression" | "detached" | undefined;
  /** True if options end at the first operand, and the rest belongs to an inner command or script. */
  readonly stops?: boolean | undefined;
  /** Subcommands by name. Approval rules do not cover subcommands that are not listed. */
  readonly commands?: Readonly<Record<string, ProgramForm>> | undefined;
  /** Aliases of subcommands: `send-pack` for `push`. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** True if subcommand names can be abbreviated. */
  readonly abbreviates?: boolean | undefined;
  /**
   * Space-separated list of all subcommands of the program. Set only if the program also accepts other words in place
   * of a subcommand: aliases that the user defined, or names of other programs.
   */
  readonly builtins?: string | undefined;
  /** How the program runs other programs. `undefined` if it runs none. */
  readonly wraps?: Wrapper | undefined;
  /**
   * Condition under which a deny rule assumes that the command may run any program. `always`: for all arguments.
   * `inline`: if the program text comes from an argument or standard input. `code`: if an argument contains constructs
   * that run programs in the program's own language. `sed`: if a sed script contains such constructs. `subscript`: if
   * an argument contains a command substitution, which bash evaluates in the subscript of a variable.
   */
  readonly hides?: "always" | "inline" | "code" | "sed" | "subscript" | undefined;
}
