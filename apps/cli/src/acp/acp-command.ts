import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import { addTaskOptions, type TaskOptions } from "../task/task-options.ts";

/**
 * Maximum time that a prompt in an editor waits for MCP servers, in milliseconds. It is short, because a user waits for the
 * response.
 */
const EDITOR_MCP_WAIT_MS = 3_000;

const EPILOGUE = `
An editor starts this command and speaks the Agent Client Protocol with it over standard input and output: it opens sessions
in its projects and sends prompts. The editor asks the user to approve tool calls; without --mode or --approve, that is every
call that changes something. Diagnostics go to standard error.

Examples:
  switchyard acp --model anthropic/claude-sonnet-5-5
  switchyard acp --engine claude-code
  switchyard acp --env sandbox --mode auto`;

/** Adds the command `acp`. */
export function addAcpCommand(program: Command, select: Select): void {
  addTaskOptions(program.command("acp").description("Serve runs to an editor over the Agent Client Protocol."))
    .addHelpText("after", EPILOGUE)
    .action((options: TaskOptions) => {
      select(async (context) =>
        (await import("./execute-acp.ts")).executeAcp(context, { mcpStartWaitMs: EDITOR_MCP_WAIT_MS, ...options }),
      );
    });
}
