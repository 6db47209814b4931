import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { TrustOptions } from "./trust-options.ts";

const EPILOGUE = `
Runs use the settings (switchyard.yaml), skills and commands (.switchyard, .agents, .claude) of trusted folders only.
Trust covers the current content of these files: a new or changed file is not used until you trust the folder again. Review
the files first. The command lists the files that are new, changed or removed since you last trusted the folder. Even a
trusted project can only make runs ask for more approvals, never for fewer.

--check compares without trusting, and exits with 1 if anything is new, changed or removed. In CI, run with
--trust-workspace: it trusts the folder as it is, for that run only.

Examples:
  switchyard trust
  switchyard trust ~/project
  switchyard trust --check
  switchyard trust --list
  switchyard trust --remove ~/project`;

/** Adds the command `trust`. */
export function addTrustCommand(program: Command, select: Select): void {
  program
    .command("trust")
    .description("Trust the settings, skills and commands of a folder.")
    .argument("[folder]", "the folder (default: the current one)")
    .option("--list", "list the trusted folders")
    .option("--check", "compare the folder with the trusted content, and change nothing")
    .option("--remove", "stop trusting the folder")
    .option("--json", "print JSON")
    .addHelpText("after", EPILOGUE)
    .action((folder: string | undefined, options: TrustOptions) => {
      select(async (context) => (await import("./execute-trust.ts")).executeTrust(context, folder, options));
    });
}
