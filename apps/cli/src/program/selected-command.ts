import type { CommandContext } from "../context/command-context.ts";

/** Command selected on the command line. */
export interface SelectedCommand {
  /** Whether standard output, including errors, is JSON for programs. */
  readonly printsJson: boolean;
  /** Runs the command. Resolves with the exit code. */
  execute(context: CommandContext): Promise<number>;
}

/** Function that is called with the selected command. */
export type Select = (command: SelectedCommand) => void;
