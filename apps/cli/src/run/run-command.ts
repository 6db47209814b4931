import { type Command, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import { addEnvironmentOptions, ENVIRONMENTS_HELP, RUN_ENVIRONMENT_HELP } from "../environment/environment-options.ts";
import { taskOf } from "../input/task-text.ts";
import { collectText, fieldOption, parseAttempts } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import { addAgentOptions, addEngineOptions } from "./engine-options.ts";
import type { RunCommandOptions } from "./run-command-options.ts";

const EPILOGUE = `
Examples:
  switchyard run --model anthropic/claude-sonnet-5-5 "Fix the failing test"
  echo "Explain this project" | switchyard run --model openai/gpt-6.2-sol
  switchyard run --engine claude-code "Fix the failing test"
  switchyard run --engine claude-code --max-attempts 3 --timeout 1h "Upgrade the linter"
  switchyard run --engine ./engine.yaml --input case.json --output result.json
  switchyard run --model openai-compatible/qwen3 --base-url http://127.0.0.1:8080/v1 "Add a test"
  switchyard run --env docker:node:22 "Fix the failing test"
  switchyard run --image before.png --image after.png "Make the page look like the second picture"
  switchyard run --output-schema review.schema.json "Review the last commit" > review.json
  switchyard run --approve on-commands --allow 'shell(npm test)' --deny 'path:**/.env' "Fix the failing test"

A rule names a tool (shell, write_file, docs__*), optionally with a pattern for its target: 'shell(git *)' matches commands
that start with git; see also 'write_file(src/**)' and 'web_fetch(docs.example.org)'. command:, path: and url: instead of a
tool match every tool. --deny takes precedence over --allow. Without a terminal, calls that need approval are denied.

With --output-schema, standard output contains only the document, and everything else goes to standard error. A response that
does not match the schema is requested again, at most twice.

Without a terminal, the prompt can come from standard input. The argument - appends standard input to the prompt:
git diff | switchyard run "Review this diff:" -

The last line of --events jsonl is
{"type":"session_result","result":…,"report":…}. Press Ctrl-C once to stop cleanly, twice to stop immediately;
\`switchyard resume\` continues a run that was stopped or cut off.`;

/** Adds the command `run`. */
export function addRunCommand(program: Command, select: Select): void {
  const command = program
    .command("run")
    .description("Run a coding task and show its progress.")
    .argument("[prompt...]", "the task; words are joined, - reads standard input");
  addEngineOptions(command)
    .addOption(fieldOption("fallbackModels", "model that the agent falls back to if the first one fails; repeatable"))
    .option("-w, --workspace <folder>", "folder to work in (default: the current one)")
    .option("--image <file>", "attach an image (PNG, JPEG, GIF, WebP) to the prompt; repeatable", collectText)
    .option("--input <file>", "read a SessionInput from a JSON file, - for standard input")
    .option("-o, --output <file>", "write the SessionResult to a file")
    .option("--output-schema <file>", "make the agent respond with JSON that matches a JSON Schema, and print it")
    .addOption(new Option("--events <format>", "print each event as a line").choices(["jsonl"]).conflicts("json"))
    .option("--json", "print the final report as one JSON document");
  addAgentOptions(command)
    .addOption(fieldOption("totalTokens", "token limit of all model calls together"))
    .addOption(fieldOption("costMicros", "cost limit of all model calls together in US dollars, such as 0.50"))
    .option("--max-attempts <count>", "maximum number of attempts if the run fails (default: 1)", parseAttempts)
    .addOption(fieldOption("maxDelayMs", "maximum wait between two attempts (default: 5m)"))
    .option("--keep-raw-output", "store the output of the agent's command as an artifact, with secrets redacted")
    .option("--allow-git-push", "allow the command of a runtime package to use git push");
  addEnvironmentOptions(command, "local, sandbox, docker:IMAGE, ssh:HOST, …");
  addApprovalOptions(command)
    .option("--continue", "continue the latest conversation in this folder or its worktrees")
    .addOption(new Option("--from <run>", "continue the conversation of that run").conflicts("continue"))
    .option("--worktree", "work in a new git worktree of the last commit, on a new branch")
    .option("--worktree-submodules", "check out submodules in the worktree, cloned from those in the workspace")
    .option("--share-workspace", "allow other runs to work in the folder at the same time")
    .option("--trust-workspace", "trust the folder's settings, skills and adapter packages for this run")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .option("--budgets <file>", BUDGETS_HELP)
    .addHelpText("after", `${ENVIRONMENTS_HELP}\n${RUN_ENVIRONMENT_HELP}\n${EPILOGUE}`)
    .action((prompt: string[], options: RunCommandOptions) => {
      select(async (context) =>
        (await import("./execute-run.ts")).executeRun(context, { ...options, ...taskOf(prompt) }),
      );
    });
}
