import { TOOL_NAMES } from "@switchyard/settings";
import { type Command, Option } from "commander";
import { addEnvironmentOptions } from "../environment/environment-options.ts";
import { PROFILE_NAMES } from "../model/profile-name.ts";
import type { Select } from "../program/selected-command.ts";
import type { CallOptions } from "./call-one-tool.ts";
import type { ToolOptions } from "./profile-of.ts";

/** Adds the commands `tools list` and `tools call`. */
export function addToolsCommand(program: Command, select: Select): void {
  const tools = program
    .command("tools")
    .description("List the tools that models get, and call one by hand.")
    .addHelpText(
      "after",
      '\nExamples:\n  switchyard tools list --profile openai\n  switchyard tools call grep --profile gemini --args \'{"pattern":"TODO"}\'',
    );
  tools
    .command("list")
    .description("List the tools of a profile.")
    .addOption(profileOption())
    .addOption(toolNamesOption())
    .option("--web", "with web_fetch")
    .option("--json", "print the tool definitions as JSON")
    .addHelpText("after", "\nExample:\n  switchyard tools list --profile openai")
    .action((options: ToolOptions) => {
      select(async (context) => (await import("./list-tools.ts")).listTools(context, options));
    });
  const call = tools
    .command("call")
    .description("Call a tool as a model would, and print what the model would see.")
    .argument("<tool>", "name of the tool")
    .addOption(profileOption())
    .addOption(toolNamesOption())
    .option("--web", "with web_fetch")
    .option("-w, --workspace <folder>", "folder to work in (default: the current one)")
    .option("--args <json>", "arguments as JSON, - for standard input", "{}");
  addEnvironmentOptions(call)
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `\nExample:\n  switchyard tools call read_file --profile openai --args '{"file_path":"README.md"}'`,
    )
    .action((tool: string, options: Omit<CallOptions, "tool">) => {
      select(async (context) => (await import("./call-one-tool.ts")).callOneTool(context, { ...options, tool }));
    });
}

function toolNamesOption(): Option {
  return new Option(
    "--tool-names <names>",
    "tool names: those of the specification, or those of the vendor's own agent",
  ).choices(TOOL_NAMES);
}

function profileOption(): Option {
  return new Option("--profile <name>", "model family that the tools are designed for")
    .choices(PROFILE_NAMES)
    .makeOptionMandatory();
}
