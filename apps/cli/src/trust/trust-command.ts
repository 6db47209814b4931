import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

/** Options of the command `trust`. */
export interface TrustOptions {
  /** Whether the trusted folders are listed. */
  list?: boolean;
  /** Whether the folder is trusted no longer. */
  remove?: boolean;
  /** Whether JSON is printed. */
  json?: boolean;
}

const EPILOGUE = `
A trusted folder may say something with switchyard.yaml, and with the skills and commands in .switchyard, .agents and
.claude. Look at them first: nothing in a folder is read as settings before that. When switchyard.yaml changes, it has to
be trusted again. Even then a project can only ask for more questions, never for fewer.

Examples:
  switchyard trust
  switchyard trust ~/work/project
  switchyard trust --list
  switchyard trust --remove ~/work/project`;

/** Adds the command `trust`. */
export function addTrustCommand(program: Command, select: Select): void {
  program
    .command("trust")
    .description("Trust the settings of a folder, after you have looked at them.")
    .argument("[folder]", "the folder (default: the current one)")
    .option("--list", "list the trusted folders")
    .option("--remove", "trust the folder no longer")
    .option("--json", "print JSON")
    .addHelpText("after", EPILOGUE)
    .action((folder: string | undefined, options: TrustOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (world) => (await import("./execute-trust.ts")).executeTrust(world, folder, options),
      });
    });
}
