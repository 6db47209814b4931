import { type Command, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { addEnvironmentOptions, ENVIRONMENTS_HELP } from "../environment/environment-options.ts";
import { taskOf } from "../input/task-text.ts";
import { TOOL_NAMES } from "../model/tool-names.ts";
import { parseWebSearch } from "../model/web-search.ts";
import {
  collectModels,
  collectText,
  parseAttempts,
  parseCount,
  parseDollars,
  parseSeconds,
} from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { RunOptions } from "./run-options.ts";

const EPILOGUE = `
Examples:
  switchyard run --model anthropic/claude-sonnet-5-5 "Fix the failing test"
  echo "Explain this project" | switchyard run --model openai/gpt-6.2-sol
  switchyard run --engine claude-code "Fix the failing test"
  switchyard run --engine claude-code --max-attempts 3 --timeout 1h "Upgrade the linter"
  switchyard run --engine ./engine.yaml --input case.json --output result.json
  switchyard run --model openai/my-model --base-url http://127.0.0.1:8080/v1 --events jsonl "Add a test"
  switchyard run --env docker:node:22 "Fix the failing test"
  switchyard run --image before.png --image after.png "Make the page look like the second picture"
  switchyard run --output-schema review.schema.json "Review the last commit" > review.json
  switchyard run --approve on-commands --allow 'shell(npm test)' --deny 'path:**/.env' "Fix the failing test"

A rule is a tool (shell, write_file, docs__*), or one with what it touches: 'shell(git *)' for commands that begin so,
'write_file(src/**)', 'web_fetch(docs.example.org)'; command:, path: and url: in place of a tool mean all of them. What is
denied counts before what is allowed. Without a terminal, what would be asked about is denied.

With --output-schema standard output has the document alone and the rest is on standard error; an answer that does not fit
is asked for again, twice at most.

Without a terminal the prompt may come from standard input, and with - what is piped in goes behind the prompt:
git diff | switchyard run "Review this diff:" -

The last line of --events jsonl is
{"type":"session_result","result":…,"report":…}. Press Ctrl-C once to stop cleanly, twice to stop at once;
\`switchyard resume\` goes on with what was stopped or cut off.`;

/** Adds the command `run`. */
export function addRunCommand(program: Command, select: Select): void {
  const command = program
    .command("run")
    .description("Run a coding task and show what happens.")
    .argument("[prompt...]", "the task; several words are joined, - stands for what is piped in")
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--fallback-model <provider/name>", "agent's model for when the first fails; repeatable", collectModels)
    .option("--base-url <url>", "address of the model's API, used as it is, version prefix included")
    .option(
      "--engine <name|file>",
      "engine to run: agent, claude-code, copilot, kiro, acp:gemini, or a file that describes one",
      "agent",
    )
    .option("--api-key <key>", "key in place of those of the environment; others on this machine may see it")
    .option("-w, --workspace <folder>", "folder to work in (default: the current one)")
    .option("--image <file>", "show the agent a picture (PNG, JPEG, GIF, WebP); can be repeated", collectText)
    .option("--input <file>", "read a SessionInput from a JSON file, - for standard input")
    .option("-o, --output <file>", "write the SessionResult to a file")
    .option("--output-schema <file>", "have the agent answer with a JSON document of that JSON Schema, and print it")
    .addOption(
      new Option("--events <format>", "print every event on a line of its own").choices(["jsonl"]).conflicts("json"),
    )
    .option("--json", "print the final report as one JSON document")
    .option("--max-turns <count>", "most turns of the model", parseCount)
    .option("--timeout <time>", "stop after so many seconds (or 5m, 1h)", parseSeconds)
    .option("--max-tokens <count>", "stop after so many tokens of all model calls together", parseCount)
    .option("--max-cost <dollars>", "stop when all model calls together have cost so much, such as 0.50", parseDollars)
    .option(
      "--retry-for <time>",
      "retry failed model calls of a turn for so long, 0 for never (default: 10m)",
      parseSeconds,
    )
    .option("--max-attempts <count>", "try so often when the run fails on the way (default: 1)", parseAttempts)
    .option("--max-retry-wait <time>", "longest wait between two attempts (default: 5m)", parseSeconds)
    .option("--reasoning-effort <effort>", "low, medium, high, or what the provider offers beyond")
    .option("--keep-raw-output", "keep what an agent's command prints as an artifact of the run, without secrets")
    .option("--web", "let the agent fetch pages of the public web")
    .option("--web-search <backend>", "let the agent search the web: brave, tavily, searxng:URL", parseWebSearch)
    .option("--mcp-config <file>", "offer the agent the tools of the MCP servers in a JSON file")
    .option("--mcp-wait <time>", "wait so long for MCP servers before a run starts (default: 30s)", parseSeconds)
    .option("--allow-git-push", "let the command of a runtime package push with git")
    .addOption(new Option("--tool-names <whose>", "names the model knows the tools by").choices(TOOL_NAMES));
  addEnvironmentOptions(command);
  addApprovalOptions(command)
    .option("--continue", "continue the newest conversation in this folder, worktrees of it included")
    .addOption(new Option("--from <run>", "go on with the conversation of that run").conflicts("continue"))
    .option("--worktree", "work in a git worktree of the last commit, on a branch of its own")
    .option("--worktree-submodules", "check out submodules in the worktree, from those in the workspace")
    .option("--share-workspace", "let other runs work in the folder at the same time")
    .option("--trust-workspace", "trust the folder's settings, skills and adapter packages for this run")
    .option("--state <folder>", "folder for run folders (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .addHelpText("after", `${ENVIRONMENTS_HELP}\n${EPILOGUE}`)
    .action((prompt: string[], options: RunOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./execute-run.ts")).executeRun(context, { ...options, ...taskOf(prompt) }),
      });
    });
}
