import type { Command } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import { addEnvironmentOptions } from "../environment/environment-options.ts";
import { addAgentOptions, addEngineOptions } from "../run/engine-options.ts";
import type { RunCommandOptions } from "../run/run-command-options.ts";

/** Options of the commands that serve a protocol, such as ACP or MCP, and run tasks for a client. */
export type TaskOptions = Omit<
  RunCommandOptions,
  "prompt" | "input" | "output" | "events" | "json" | "continue" | "from"
>;

/**
 * Adds the options of `run` to a command that serves a protocol. `environments`: the environments that the command
 * accepts, for its help.
 */
export function addTaskOptions(command: Command, environments?: string): Command {
  addEngineOptions(command);
  addAgentOptions(command)
    .option("--worktree", "give each run a git worktree of the last commit")
    .option("--budgets <file>", BUDGETS_HELP)
    .option("--share-workspace", "allow other runs to work in the folder at the same time");
  addEnvironmentOptions(command, environments);
  addApprovalOptions(command);
  return command.option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)");
}
