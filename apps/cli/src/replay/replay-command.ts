import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { ReplayOptions } from "./replay-options.ts";

const EPILOGUE = `
The model's answers come from the recording; tools and files are real. Each request is compared with the recorded one, but
for paths, dates and durations. It works in a git worktree, which is gone afterwards: the last commit and what is not
committed, without what the run changed itself. Or it works in --workspace, which it may change. Exits with 1 at the first
difference. Nothing is sent to a model.

Examples:
  switchyard replay 01JD
  switchyard replay 01JD --workspace ./copy
  switchyard replay 01JD --json`;

/** Adds the command `replay`. */
export function addReplayCommand(program: Command, select: Select): void {
  program
    .command("replay")
    .description("Play the recorded model of a run against the files as they are now, and say what is different.")
    .argument("<run>", "id of the run, or its beginning")
    .option("-w, --workspace <folder>", "folder to work in, which is changed (default: a git worktree)")
    .option("--json", "print the finding as JSON")
    .option("--state <folder>", "folder with the run folders (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", EPILOGUE)
    .action((id: string, options: ReplayOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./execute-replay.ts")).executeReplay(context, id, options),
      });
    });
}
