/** What running a program can do beyond reading files and printing. */
type Effect = "write" | "run" | "connect";

/**
 * Reason why a rule does not cover an option or a form. `elsewhere`: it works in another folder or with other settings.
 * `discard`: it deletes work, or replaces it, where nothing restores it.
 */
export type Risk = Effect | "elsewhere" | "discard";

/**
 * A form of a program: the program itself, or one of its subcommands. Options are written as
 * `-a|--all -n|--lines: --color?`: names of one option are joined by `|`; `:` marks an option with a value, `?` one whose
 * value can only be attached. A kind of value may follow, such as `-f:local`. `-#` stands for `-1`, `-20` and so on.
 */
export interface ProgramForm {
  /** Options that a rule covers. */
  readonly options?: string | undefined;
  /** Kinds of the operands in order; the last one repeats. Empty: no operands. Default: `any`. */
  readonly operands?: string | undefined;
  /** Options that no rule covers unless it names them, by what they can do. */
  readonly risks?: Readonly<Partial<Record<Risk, string>>> | undefined;
  /** Options that an operand stands for, by its first character: `+main` of `git push` is `--force`. */
  readonly operandOptions?: Readonly<Record<string, string>> | undefined;
  /** What the form does by design. Default: it reads and prints. */
  readonly effects?: readonly Effect[] | undefined;
  /** True if only a rule that names the form covers it, not one whose wildcard matches it. */
  readonly isNamedOnly?: boolean | undefined;
  /** The form is covered only with one of these options, because it would start an editor, or write, without. */
  readonly needs?: string | undefined;
  /** The form is never covered, except by a rule that contains the whole command. */
  readonly never?: Risk | undefined;
}

/** Describes where a program that runs others takes the inner command from. */
export interface Wrapper {
  /** Number of operands before the inner command. `undefined`: the operands are no command. */
  readonly skip?: number | undefined;
  /** True if assignments such as `A=b` may precede the inner command. */
  readonly assigns?: boolean | undefined;
  /** True if the operands after `skip` are joined and handed to a shell. */
  readonly isLine?: boolean | undefined;
  /** Options whose value is a command line. */
  readonly lines?: string | undefined;
  /** Option that makes the first operand a command line: `-c` of shells. */
  readonly lineOption?: string | undefined;
  /** Options after which a command follows up to `;` or `+`: `-exec` of find. */
  readonly clauses?: string | undefined;
}

/** A row of the table of programs. */
export interface Program extends ProgramForm {
  /** Names of programs that take the same options. */
  readonly names: readonly string[];
  /** True if the names are names of one program: a deny rule for one of them means all. */
  readonly isOne?: boolean | undefined;
  /** Where the options are documented. */
  readonly source: string;
  /**
   * `words`: options are single words, such as `-name`, and letters are never combined. `expression`: the same, and `--`
   * does not end them. Default: as getopt_long(3).
   */
  readonly style?: "words" | "expression" | undefined;
  /** True if options end at the first operand: what follows belongs to an inner command or script. */
  readonly stops?: boolean | undefined;
  /** Subcommands. One that is missing is not covered. */
  readonly commands?: Readonly<Record<string, ProgramForm>> | undefined;
  /** Other names of subcommands: `send-pack` for `push`. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** True if the beginning of a subcommand's name stands for it. */
  readonly abbreviates?: boolean | undefined;
  /** All subcommands, if the program takes any other word for an alias or for the name of another program. */
  readonly builtins?: string | undefined;
  /** How the program runs others. */
  readonly wraps?: Wrapper | undefined;
  /**
   * Whether a deny rule treats the command as one that may run anything: always; or if options, or the lack of a script,
   * say that the program text is an argument or the input.
   */
  readonly hides?: "always" | "inline" | "awk" | undefined;
}
