import { TOOL_NAMES } from "@switchyard/settings";
import { type Command, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import { addEnvironmentOptions } from "../environment/environment-options.ts";
import { parseCount, parseSeconds, parseWebSearch } from "../program/option-value.ts";
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
  command
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--base-url <url>", "base URL of the model's API, version prefix included")
    .option(
      "--engine <name|file>",
      "engine to run: agent, another engine's name, or an engine configuration file",
      "agent",
    )
    .option(
      "--api-key <key>",
      "API key to use instead of the environment variable; other users of this machine may see it",
    )
    .option("--direct", "let the engine call models with the API key instead of through the model gateway")
    .option("--max-turns <count>", "maximum number of model turns in a run", parseCount)
    .option("--timeout <time>", "time limit of a run, in seconds or such as 5m or 1h", parseSeconds)
    .option("--retry-for <time>", "how long to retry failed model calls of a turn (default: 10m)", parseSeconds)
    .option("--reasoning-effort <effort>", "low, medium, high, or another value that the provider accepts")
    .option("--web", "allow the agent to fetch public web pages")
    .option(
      "--web-search <backend>",
      "allow the agent to search the web with brave, tavily or searxng:URL",
      parseWebSearch,
    )
    .option("--mcp-config <file>", "give the agent the tools of the MCP servers in a JSON file")
    .option(
      "--mcp-wait <time>",
      "maximum time to wait for MCP servers before a run starts (default: 30s, editors: 3s)",
      parseSeconds,
    )
    .addOption(new Option("--tool-names <names>", "tool names that the model sees").choices(TOOL_NAMES))
    .option("--worktree", "give each run a git worktree of the last commit")
    .option("--budgets <file>", BUDGETS_HELP)
    .option("--share-workspace", "allow other runs to work in the folder at the same time");
  addEnvironmentOptions(command, environments);
  addApprovalOptions(command);
  return command.option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)");
}
