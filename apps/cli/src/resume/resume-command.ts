import { type Command, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import { checkEnvironment } from "../environment/environment-options.ts";
import { fieldOption, parseAttempts, parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { apiKeyOption } from "../run/engine-options.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { ResumeOptions } from "./resume-options.ts";

const EPILOGUE = `
Task, model, base URL, limits, permissions, environment and workspace are those of the run. Keys are read from the
environment variables again. A tool call that was cut off and may have had effects is not repeated: the model is told that
its outcome is unknown. For this attempt, --approve replaces the run's setting, and --allow and --deny add to its rules.

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
    .description("Resume a run that was cut off, was interrupted or failed.")
    .argument("<run>", "id of the run, a unique prefix of it, or `last`")
    .option("--base-url <url>", "override the base URL of the model's API")
    .option("-w, --workspace <folder>", "new path of the run's workspace, if it was moved")
    .option("--env <environment>", "the run's environment, if it was moved or renamed", checkEnvironment)
    .option("--engine <file>", "override the engine configuration file, or accept the run's file after a change")
    .addOption(apiKeyOption())
    .option("--mcp-config <file>", "override the file with MCP servers, or accept the run's file after a change")
    .addOption(
      fieldOption("mcpStartWaitMs", "maximum time to wait for MCP servers before the run resumes (default: 30s)"),
    )
    .option("-o, --output <file>", "write the SessionResult to a file")
    .addOption(new Option("--events <format>", "print each new event as a line").choices(["jsonl"]).conflicts("json"))
    .option("--json", "print the final report as one JSON document")
    .option("--timeout <time>", "override the time limit of the whole run, such as 5m or 1h", parseSeconds)
    .addOption(fieldOption("totalTokens", "override the token limit of the whole run"))
    .addOption(fieldOption("costMicros", "override the cost limit of the whole run in US dollars, such as 0.50"))
    .option("--retry-for <time>", "override how long failed model calls of a turn are retried", parseSeconds)
    .option("--max-attempts <count>", "override the maximum number of attempts of the whole run", parseAttempts)
    .addOption(fieldOption("maxDelayMs", "maximum wait between two attempts, with --max-attempts"))
    .option("--share-workspace", "allow other runs to work in the folder at the same time")
    .option("--trust-workspace", "trust the folder's current skills and adapter packages")
    .option("--take-over", "take the run over from a process that still works on it");
  addApprovalOptions(command)
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .option("--budgets <file>", BUDGETS_HELP)
    .addHelpText("after", EPILOGUE)
    .action((id: string, options: Omit<ResumeOptions, "id">) => {
      select(async (context) => (await import("./execute-resume.ts")).executeResume(context, { ...options, id }));
    });
}
