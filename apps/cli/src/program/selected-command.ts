import type { CommandContext } from "../context/command-context.ts";

/** The command that the words asked for. */
export interface SelectedCommand {
  /** Whether standard output is for a machine, errors included. */
  readonly printsJson: boolean;
  /** Does it; resolves with the exit code. */
  execute(context: CommandContext): Promise<number>;
}

/** Told which command was asked for. */
export type Select = (command: SelectedCommand) => void;
