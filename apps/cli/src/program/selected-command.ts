import type { CommandContext } from "../context/command-context.ts";

/** Command selected on the command line. */
export interface SelectedCommand {
  /** Whether standard output, including errors, is JSON for programs. Default: whether `--json` was given. */
  readonly printsJson?: boolean;
  /** Runs the command. Resolves with the exit code. */
  execute(context: CommandContext): Promise<number>;
}

/** Function that receives the selected command: the whole object, or only its function `execute`. */
export type Select = (command: SelectedCommand | SelectedCommand["execute"]) => void;
