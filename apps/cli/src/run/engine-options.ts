import { TOOL_NAMES } from "@switchyard/settings";
import { type Command, Option } from "commander";
import { fieldOption, parseCount, parseSeconds, parseWebSearch } from "../program/option-value.ts";

/** Creates the option for an API key. */
export function apiKeyOption(): Option {
  const about = "API key to use instead of the environment variable; other users of this machine may see it";
  return new Option("--api-key <key>", about);
}

/** Adds to a command the options that select the engine and model of a run. */
export function addEngineOptions(command: Command): Command {
  return command
    .option("-m, --model <provider/name>", "model to use (default: SWITCHYARD_MODEL)")
    .option("--base-url <url>", "base URL of the model's API, version prefix included")
    .option(
      "--engine <name|file>",
      "engine: agent, claude-code, codex, copilot, kiro, opencode, acp:gemini, …, or an engine configuration file",
      "agent",
    )
    .addOption(apiKeyOption())
    .addOption(fieldOption("allowedModels", "model that the gateway allows; refuses others; repeatable"))
    .option("--direct", "let the engine call models with the API key instead of through the model gateway");
}

/** Adds to a command the options of the agent, and the options for run limits that a `SessionInput` can also set. */
export function addAgentOptions(command: Command): Command {
  return command
    .option("--max-turns <count>", "maximum number of model turns", parseCount)
    .option("--timeout <time>", "time limit of a run, in seconds or such as 5m or 1h", parseSeconds)
    .option(
      "--retry-for <time>",
      "how long to retry failed model calls of a turn, 0 for never (default: 10m)",
      parseSeconds,
    )
    .option("--reasoning-effort <effort>", "low, medium, high, or another value that the provider accepts")
    .option("--web", "allow the agent to fetch public web pages")
    .option(
      "--web-search <backend>",
      "allow the agent to search the web with brave, tavily or searxng:URL",
      parseWebSearch,
    )
    .option("--mcp-config <file>", "give the agent the tools of the MCP servers in a JSON file")
    .addOption(
      fieldOption(
        "mcpStartWaitMs",
        "maximum time to wait for MCP servers before a run starts (default: 30s, editors: 3s)",
      ),
    )
    .addOption(new Option("--tool-names <names>", "tool names that the model sees").choices(TOOL_NAMES));
}
