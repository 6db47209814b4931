import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { EnginesOptions } from "./engines-options.ts";

const DOCTOR_EPILOGUE = `
Runs each agent's command to read its version and looks for its credentials. Contacts no model and no network.
Exits with 1 if an engine named on the command line is not ready.

Examples:
  switchyard engines doctor
  switchyard engines doctor claude-code --json`;

/** Adds the commands `engines list` and `engines doctor`. */
export function addEnginesCommand(program: Command, select: Select): void {
  const engines = program
    .command("engines")
    .description("List engines, and check what they need.")
    .addHelpText("after", "\nExample:\n  switchyard engines doctor");
  addCommand(engines, "list", "List available engines.")
    .addHelpText("after", "\nRuns no command and loads no package.\n\nExample:\n  switchyard engines list")
    .action((options: EnginesOptions) => {
      select(async (context) => (await import("./list-engines.ts")).listEngines(context, options));
    });
  addCommand(engines, "doctor", "Check whether engines are installed and authenticated, and what to fix.")
    .argument("[engine...]", "engines to check (default: all)")
    .addHelpText("after", DOCTOR_EPILOGUE)
    .action((names: string[], options: EnginesOptions) => {
      select(async (context) => (await import("./examine-engines.ts")).examineEngines(context, { ...options, names }));
    });
}

function addCommand(engines: Command, name: string, description: string): Command {
  return engines
    .command(name)
    .description(description)
    .option("--json", "print JSON")
    .option("--trust-workspace", "include adapters from this folder's packages; doctor runs their code");
}
