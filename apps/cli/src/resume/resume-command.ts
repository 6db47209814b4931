import { type Command, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { checkEnvironment } from "../environment/environment-options.ts";
import { parseAttempts, parseCount, parseDollars, parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { ResumeOptions } from "./resume-options.ts";

const EPILOGUE = `
Task, model, address, limits, permissions, place and workspace are those of the run; keys come from the environment again. A
tool call that was cut off and may have had effects is not made again: the model is told that its outcome is unknown.
--approve stands in place of the run's, --allow and --deny are added to its rules, as long as this attempt goes on.

Examples:
  switchyard resume 01JD
  switchyard resume 01JD --events jsonl
  switchyard resume 01JD --take-over
  switchyard resume 01JD --allow 'shell(npm publish)'

\`switchyard runs list\` shows which runs were cut off or stopped.`;

/** Adds the command `resume`. */
export function addResumeCommand(program: Command, select: Select): void {
  const command = program
    .command("resume")
    .description("Go on with a run that was cut off, interrupted or failed on the way.")
    .argument("<run>", "id of the run, or its beginning")
    .option("--base-url <url>", "address of the model's API in place of the run's")
    .option("-w, --workspace <folder>", "where the run's workspace is now, if it was moved")
    .option("--env <environment>", "the run's environment, if it was moved or renamed", checkEnvironment)
    .option("--engine <file>", "file that describes the engine in place of the run's, or the same one after a change")
    .option("--api-key <key>", "key in place of those of the environment; others on this machine may see it")
    .option("--mcp-config <file>", "file with MCP servers in place of the run's, or the same one after a change")
    .option("--mcp-wait <time>", "wait so long for MCP servers before the run goes on (default: 30s)", parseSeconds)
    .option("-o, --output <file>", "write the SessionResult to a file")
    .addOption(
      new Option("--events <format>", "print every new event on a line of its own")
        .choices(["jsonl"])
        .conflicts("json"),
    )
    .option("--json", "print the final report as one JSON document")
    .option("--timeout <time>", "time limit of the whole run in place of the run's: seconds, 5m, 1h", parseSeconds)
    .option("--max-tokens <count>", "most tokens of the whole run in place of the run's", parseCount)
    .option("--max-cost <dollars>", "most cost of the whole run in place of the run's, such as 0.50", parseDollars)
    .option("--retry-for <time>", "retry failed model calls of a turn for so long in place of the run's", parseSeconds)
    .option("--max-attempts <count>", "most tries of the whole run in place of the run's", parseAttempts)
    .option("--max-retry-wait <time>", "longest wait between two attempts, with --max-attempts", parseSeconds)
    .option("--share-workspace", "let other runs work in the folder at the same time")
    .option("--trust-workspace", "trust the folder's skills and adapter packages as they are now")
    .option("--take-over", "take the run from a process that still works on it");
  addApprovalOptions(command)
    .option("--state <folder>", "folder with the run folders (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .addHelpText("after", EPILOGUE)
    .action((id: string, options: Omit<ResumeOptions, "id">) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./execute-resume.ts")).executeResume(context, { ...options, id }),
      });
    });
}
