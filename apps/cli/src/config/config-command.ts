import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

const EPILOGUE = `
Options win over the environment, the environment over the project's switchyard.yaml, that over your own config.yaml in
~/.config/switchyard. The settings have the names of the options of \`run\`, with _ for -. A project's settings count where
you trust the folder (\`switchyard trust\`), and cannot say where keys are sent or what needs no permission.

Examples:
  switchyard config
  switchyard config --json
  switchyard config --workspace ~/work/project`;

/** Adds the command `config`. */
export function addConfigCommand(program: Command, select: Select): void {
  program
    .command("config")
    .description("Show the settings that a run would have here, and where each comes from.")
    .option("-w, --workspace <folder>", "folder whose settings are shown (default: the current one)")
    .option("--json", "print JSON")
    .addHelpText("after", EPILOGUE)
    .action((options: { workspace?: string; json?: boolean }) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./show-config.ts")).showConfig(context, options),
      });
    });
}
