import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import { addTaskOptions, type TaskOptions } from "../task/task-options.ts";

/** Maximum time that a prompt in an editor waits for MCP servers, in seconds: somebody looks on. */
const EDITOR_MCP_WAIT = 3;

const EPILOGUE = `
It speaks the Agent Client Protocol over standard input and output: an editor starts it, opens sessions in its projects and
sends prompts. Tool calls that wait for a permission are asked about in the editor; without --mode or --approve those are
the ones that change something. Diagnostics go to standard error.

Examples:
  switchyard acp --model anthropic/claude-sonnet-5-5
  switchyard acp --engine claude-code
  switchyard acp --env sandbox --mode auto`;

/** Adds the command `acp`. */
export function addAcpCommand(program: Command, select: Select): void {
  addTaskOptions(program.command("acp").description("Be the agent of an editor, over the Agent Client Protocol."))
    .addHelpText("after", EPILOGUE)
    .action((options: TaskOptions) => {
      select({
        printsJson: false,
        execute: async (context) =>
          (await import("./execute-acp.ts")).executeAcp(context, { mcpWait: EDITOR_MCP_WAIT, ...options }),
      });
    });
}
