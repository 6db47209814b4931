import type { CommandContext } from "../context/command-context.ts";

/** Command selected on the command line. */
export interface SelectedCommand {
  /** Whether standard output is JSON for programs, including errors. */
  readonly printsJson: boolean;
  /** Runs the command. Resolves with the exit code. */
  execute(context: CommandContext): Promise<number>;
}

/** Called with the selected command. */
export type Select = (command: SelectedCommand) => void;
