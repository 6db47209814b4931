import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { EnginesOptions } from "./engines-options.ts";

const DOCTOR_EPILOGUE = `
Starts each agent's command to ask for its version, and looks for what it signs in with; asks no model and no network.
Exits with 1 when an engine that is named is not ready.

Examples:
  switchyard engines doctor
  switchyard engines doctor claude-code --json`;

/** Adds the commands `engines list` and `engines doctor`. */
export function addEnginesCommand(program: Command, select: Select): void {
  const engines = program
    .command("engines")
    .description("Look at the engines that can be named, and what they need.")
    .addHelpText("after", "\nExample:\n  switchyard engines doctor");
  addCommand(engines, "list", "List the engines that can be named.")
    .addHelpText("after", "\nStarts nothing and loads no package.\n\nExample:\n  switchyard engines list")
    .action((options: EnginesOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./list-engines.ts")).listEngines(context, options),
      });
    });
  addCommand(engines, "doctor", "Say for each engine whether it is installed and signed in, and what to do.")
    .argument("[engine...]", "engines to look at (default: all)")
    .addHelpText("after", DOCTOR_EPILOGUE)
    .action((names: string[], options: EnginesOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./examine-engines.ts")).examineEngines(context, { ...options, names }),
      });
    });
}

function addCommand(engines: Command, name: string, description: string): Command {
  return engines
    .command(name)
    .description(description)
    .option("--json", "print JSON")
    .option("--trust-workspace", "look for adapters among the packages of this folder, too; doctor runs their code");
}
