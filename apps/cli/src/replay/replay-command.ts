import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { ReplayOptions } from "./replay-options.ts";

const EPILOGUE = `
Model responses come from the recording; tools and files are real. Each request is compared with the recorded one, ignoring
paths, dates and durations. By default, the replay works in a temporary git worktree that contains the last commit and
uncommitted changes, without the changes of the run itself. With --workspace it works in that folder and may change it. Exits
with 1 at the first difference. Nothing is sent to a model. Third-party agents and custom engines can be replayed if they
called models through the model gateway. They run in an environment like that of the run.

Examples:
  switchyard replay 01JD
  switchyard replay 01JD --workspace ./copy
  switchyard replay 01JD --json`;

/** Adds the command `replay`. */
export function addReplayCommand(program: Command, select: Select): void {
  program
    .command("replay")
    .description("Replay a run's recorded model responses against the current files and report the first difference.")
    .argument("<run>", "id of the run, a unique prefix of it, or `last`")
    .option("-w, --workspace <folder>", "folder to work in, which may be changed (default: a temporary git worktree)")
    .option("--json", "print the result as JSON")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", EPILOGUE)
    .action((id: string, options: ReplayOptions) => {
      select(async (context) => (await import("./execute-replay.ts")).executeReplay(context, id, options));
    });
}
