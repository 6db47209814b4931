import { type Command, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { addEnvironmentOptions, PLACES_HELP } from "../environment/environment-options.ts";
import { TOOL_NAMES } from "../model/tool-names.ts";
import { parseCount, parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import type { RunOptions } from "./run-options.ts";

const EPILOGUE = `
Examples:
  switchyard run --model anthropic/claude-sonnet-4-5 "Fix the failing test"
  echo "Explain this project" | switchyard run --model openai/gpt-5.2
  switchyard run --engine ./engine.yaml --input case.json --output result.json
  switchyard run --model openai/my-model --base-url http://127.0.0.1:8080/v1 --events jsonl "Add a test"
  switchyard run --env docker:node:22 "Fix the failing test"
  switchyard run --approve on-commands --allow 'shell(npm test)' --deny 'path:**/.env' "Fix the failing test"

A rule is a tool (shell, write_file, docs__*), or one with what it touches: 'shell(git *)' for commands that begin so,
'write_file(src/**)', 'web_fetch(docs.example.org)'; command:, path: and url: in place of a tool mean all of them. What is
denied counts before what is allowed. Without a terminal, what would be asked about is denied.

Without a terminal the prompt may come from standard input. The last line of --events jsonl is
{"type":"session_result","result":…,"report":…}. Press Ctrl-C once to stop cleanly, twice to stop at once;
\`switchyard resume\` goes on with what was stopped or cut off.`;

/** Adds the command `run`. */
export function addRunCommand(program: Command, select: Select): void {
  const command = program
    .command("run")
    .description("Run a coding task and show what happens.")
    .argument("[prompt...]", "the task; several words are joined")
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--base-url <url>", "address of the model's API, used as it is, version prefix included")
    .option("--engine <name|file>", "engine to run: agent, or a file that describes one of your own", "agent")
    .option("--api-key <key>", "key in place of those of the environment; others on this machine may see it")
    .option("-w, --workspace <folder>", "folder to work in (default: the current one)")
    .option("--input <file>", "read a SessionInput from a JSON file, - for standard input")
    .option("-o, --output <file>", "write the SessionResult to a file")
    .addOption(new Option("--events <format>", "print every event on a line of its own").choices(["jsonl"]))
    .option("--json", "print the final report as one JSON document")
    .option("--max-turns <count>", "most turns of the model", parseCount)
    .option("--timeout <time>", "stop after so many seconds (or 5m, 1h)", parseSeconds)
    .option("--reasoning-effort <effort>", "low, medium, high, or what the provider offers beyond")
    .option("--web", "let the agent fetch pages of the public web")
    .option("--mcp-config <file>", "offer the agent the tools of the MCP servers in a JSON file")
    .addOption(new Option("--tool-names <whose>", "names the model knows the tools by").choices(TOOL_NAMES));
  addEnvironmentOptions(command);
  addApprovalOptions(command)
    .option("--state <folder>", "folder for run folders (default: $XDG_STATE_HOME/switchyard)")
    .addHelpText("after", `${PLACES_HELP}\n${EPILOGUE}`)
    .action((prompt: string[], options: RunOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (world) =>
          (await import("./execute-run.ts")).executeRun(world, { ...options, prompt: prompt.join(" ") }),
      });
    });
}
