import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

const EPILOGUE = `
Precedence: options, then environment variables, then the project's switchyard.yaml, then your config.yaml in
~/.config/switchyard. Settings are named like the options of \`run\`, with _ for -. A project's settings apply only after you
trust the folder (\`switchyard trust\`). They cannot set where keys are sent or which calls run without approval.

Examples:
  switchyard config
  switchyard config --json
  switchyard config --workspace ~/project`;

/** Adds the command `config`. */
export function addConfigCommand(program: Command, select: Select): void {
  program
    .command("config")
    .description("Show the effective settings of a run, and the source of each.")
    .option("-w, --workspace <folder>", "folder to read settings for (default: the current one)")
    .option("--json", "print JSON")
    .addHelpText("after", EPILOGUE)
    .action((options: { workspace?: string; json?: boolean }) => {
      select(async (context) => (await import("./show-config.ts")).showConfig(context, options));
    });
}
