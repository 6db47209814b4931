import { type Command, Option } from "commander";
import { type TypedTask, taskOf } from "../input/task-text.ts";
import type { Select } from "../program/selected-command.ts";
import { apiKeyOption } from "../run/engine-options.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { ForkOptions } from "./fork-run.ts";

const EPILOGUE = `
The new run has the model, engine, permissions and environment of the original run. With a prompt, it continues the
conversation from its end; without one, it starts the same task again. --worktree gives it a separate copy of the files: the
last commit and, with a prompt, the changes of the original run. The argument - appends standard input to the prompt.

Examples:
  switchyard runs fork 01JD "Now add a test"
  switchyard runs fork 01JD --worktree "Try it with a table instead"
  switchyard runs fork 01JD --model openai/gpt-6.2-sol`;

/** Adds the command `runs fork`. */
export function addForkCommand(runs: Command, select: Select): void {
  runs
    .command("fork")
    .description("Start a new run from the task or conversation of another one.")
    .argument("<run>", "id of the run, a unique prefix of it, or `last`")
    .argument("[prompt...]", "the next task; words are joined, - reads standard input")
    .option("-m, --model <provider/name>", "override the model")
    .option("--worktree", "work in a new git worktree")
    .option("--share-workspace", "allow other runs to work in the folder at the same time")
    .addOption(apiKeyOption())
    .option("-o, --output <file>", "write the SessionResult to a file")
    .addOption(new Option("--events <format>", "print each event as a line").choices(["jsonl"]))
    .option("--json", "print the final report as one JSON document")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .addHelpText("after", EPILOGUE)
    .action((id: string, prompt: string[], options: Omit<ForkOptions, "id" | keyof TypedTask>) => {
      select(async (context) =>
        (await import("./fork-run.ts")).forkRun(context, { ...options, ...taskOf(prompt), id }),
      );
    });
}
