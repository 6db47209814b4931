import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { TrustOptions } from "./trust-options.ts";

const EPILOGUE = `
Runs use the settings (switchyard.yaml), skills and commands (.switchyard, .agents, .claude) of trusted folders only.
Trust holds for these files with their content as it is now: a file that is new or has changed is not used until you trust
the folder again. Look at them first. The command lists what is new, changed or removed since you last trusted the folder.
Even a trusted project can only ask for more questions, never for fewer.

--check compares without trusting, and exits with 1 if anything is new, changed or removed. In CI, run with
--trust-workspace: it trusts the folder as it is, for that run only.

Examples:
  switchyard trust
  switchyard trust ~/work/project
  switchyard trust --check
  switchyard trust --list
  switchyard trust --remove ~/work/project`;

/** Adds the command `trust`. */
export function addTrustCommand(program: Command, select: Select): void {
  program
    .command("trust")
    .description("Trust the settings, skills and commands of a folder, after you have looked at them.")
    .argument("[folder]", "the folder (default: the current one)")
    .option("--list", "list the trusted folders")
    .option("--check", "compare the folder with what was trusted, and change nothing")
    .option("--remove", "trust the folder no longer")
    .option("--json", "print JSON")
    .addHelpText("after", EPILOGUE)
    .action((folder: string | undefined, options: TrustOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./execute-trust.ts")).executeTrust(context, folder, options),
      });
    });
}
