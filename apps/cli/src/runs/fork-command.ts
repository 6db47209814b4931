import { type Command, Option } from "commander";
import { type TypedTask, taskOf } from "../input/task-text.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { ForkOptions } from "./fork-run.ts";

const EPILOGUE = `
The new run has the model, engine, permissions and place of the other one. With a prompt it goes on with the conversation as
it was at the end; without one the same task is begun again. --worktree gives it files of its own: the last commit, with
what the other run changed when there is a prompt. A prompt of - is what is piped in; among other words it goes behind them.

Examples:
  switchyard runs fork 01JD "Now add a test"
  switchyard runs fork 01JD --worktree "Try it with a table instead"
  switchyard runs fork 01JD --model openai/gpt-6.2-sol`;

/** Adds the command `runs fork`. */
export function addForkCommand(runs: Command, select: Select): void {
  runs
    .command("fork")
    .description("Start a new run from what another one was asked or said.")
    .argument("<run>", "id of the run, or its beginning")
    .argument("[prompt...]", "what to do next; several words are joined")
    .option("-m, --model <provider/name>", "model in place of the run's")
    .option("--worktree", "work in a git worktree of its own")
    .option("--share-workspace", "let other runs work in the folder at the same time")
    .option("--api-key <key>", "key in place of those of the environment; others on this machine may see it")
    .option("-o, --output <file>", "write the SessionResult to a file")
    .addOption(new Option("--events <format>", "print every event on a line of its own").choices(["jsonl"]))
    .option("--json", "print the final report as one JSON document")
    .option("--state <folder>", "folder with the run folders (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .addHelpText("after", EPILOGUE)
    .action((id: string, prompt: string[], options: Omit<ForkOptions, "id" | keyof TypedTask>) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./fork-run.ts")).forkRun(context, { ...options, ...taskOf(prompt), id }),
      });
    });
}
