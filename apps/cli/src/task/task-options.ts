import { type Command, Option } from "commander";
import { addApprovalOptions } from "../approval/approval-options.ts";
import { addEnvironmentOptions } from "../environment/environment-options.ts";
import { TOOL_NAMES } from "../model/tool-names.ts";
import { parseWebSearch } from "../model/web-search.ts";
import { parseCount, parseSeconds } from "../program/option-value.ts";
import type { RunOptions } from "../run/run-options.ts";

/** Options of commands that run what somebody asks for over a protocol. */
export type TaskOptions = Omit<RunOptions, "prompt" | "input" | "output" | "events" | "json" | "continue" | "from">;

/** Adds the options that say how its runs are made. */
export function addTaskOptions(command: Command): Command {
  command
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--base-url <url>", "address of the model's API, used as it is, version prefix included")
    .option("--engine <name|file>", "engine to run: agent, another agent's name, or a file that describes one", "agent")
    .option("--api-key <key>", "key in place of those of the environment; others on this machine may see it")
    .option("--max-turns <count>", "most turns of the model in one run", parseCount)
    .option("--timeout <time>", "stop a run after so many seconds (or 5m, 1h)", parseSeconds)
    .option("--retry-for <time>", "retry failed model calls of a turn for so long (default: 10m)", parseSeconds)
    .option("--reasoning-effort <effort>", "low, medium, high, or what the provider offers beyond")
    .option("--web", "let the agent fetch pages of the public web")
    .option("--web-search <backend>", "let the agent search the web: brave, tavily, searxng:URL", parseWebSearch)
    .option("--mcp-config <file>", "offer the agent the tools of the MCP servers in a JSON file")
    .option(
      "--mcp-wait <time>",
      "wait so long for MCP servers before a run starts (default: 30s, editors: 3s)",
      parseSeconds,
    )
    .addOption(new Option("--tool-names <whose>", "names the model knows the tools by").choices(TOOL_NAMES))
    .option("--worktree", "give each run a git worktree of the last commit")
    .option("--share-workspace", "let other runs work in the folder at the same time");
  addEnvironmentOptions(command);
  addApprovalOptions(command);
  return command.option("--state <folder>", "folder for run folders (default: $XDG_STATE_HOME/switchyard)");
}
