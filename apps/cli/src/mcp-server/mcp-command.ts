import type { Command } from "commander";
import { addLoginCommands } from "../mcp/login-command.ts";
import type { Select } from "../program/selected-command.ts";
import { addTaskOptions, type TaskOptions } from "../task/task-options.ts";

const EPILOGUE = `
Speaks the Model Context Protocol over standard input and output. Its tools are run_task, list_runs and show_run. Tasks work
in the folder of --workspace or below. There is no one to approve tool calls, so calls that need approval are denied.
Without --env, tasks run in a sandbox without a network; --env local runs them with your permissions.

Examples:
  switchyard mcp --model anthropic/claude-sonnet-5-5
  switchyard mcp --workspace ~/project --mode plan`;

/** Adds the command `mcp`. */
export function addMcpCommand(program: Command, select: Select): void {
  const mcp = program.command("mcp").description("Serve runs as tools over the Model Context Protocol.");
  addTaskOptions(mcp, "sandbox (default), local, docker:IMAGE, ssh:HOST, …")
    .option("--debug", "print stack traces")
    .option("-w, --workspace <folder>", "folder that contains the workspaces of tasks (default: the current one)")
    .addHelpText("after", EPILOGUE)
    .action((options: TaskOptions) => {
      select(async (context) => (await import("./execute-mcp.ts")).executeMcp(context, options));
    });
  addLoginCommands(mcp, select);
}
