import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

interface Options {
  json?: boolean;
  state?: string;
}

/** Adds the commands `runs list` and `runs show`. */
export function addRunsCommand(program: Command, select: Select): void {
  const runs = program.command("runs").description("Look at the runs of this machine.");
  runs
    .command("list")
    .description("List runs, the newest first.")
    .option("--json", "print JSON")
    .option("--state <folder>", "folder with the run folders (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", "\nExample:\n  switchyard runs list")
    .action((options: Options) => {
      select({
        printsJson: options.json === true,
        execute: async (world) => (await import("./list-runs.ts")).listRuns(world, options),
      });
    });
  runs
    .command("show")
    .description("Show one run: how it ended, what it changed, where its files are.")
    .argument("<id>", "id of the run, or its beginning")
    .option("--json", "print JSON")
    .option("--state <folder>", "folder with the run folders (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", "\nExample:\n  switchyard runs show 01JD")
    .action((id: string, options: Options) => {
      select({
        printsJson: options.json === true,
        execute: async (world) => (await import("./show-run.ts")).showRun(world, { ...options, id }),
      });
    });
}
