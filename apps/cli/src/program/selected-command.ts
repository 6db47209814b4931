import type { CommandContext } from "../context/command-context.ts";

/** Command selected on the command line. */
export interface SelectedCommand {
  /** Whether standard output, including errors, is JSON for programs. Default: whether `--json` was given. */
  readonly printsJson?: boolean;
  /** Runs the command. Resolves with the exit code. */
  execute(context: CommandContext): Promise<number>;
}

/**
 * Function that a command calls when the user has selected it. The argument is an object or, for a command that only
 * needs `execute`, this function.
 */
export type Select = (command: SelectedCommand | SelectedCommand["execute"]) => void;
