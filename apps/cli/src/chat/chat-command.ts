import type { Command } from "commander";
import { Option } from "commander";
import { ENVIRONMENTS_HELP } from "../environment/environment-options.ts";
import { taskOf } from "../input/task-text.ts";
import { fieldOption } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import { addTaskOptions } from "../task/task-options.ts";
import type { ChatCommandOptions } from "./chat-command-options.ts";

const EPILOGUE = `
Examples:
  switchyard chat
  switchyard chat --model anthropic/claude-sonnet-5-5 "Explain this project"
  switchyard chat --engine claude-code --continue
  switchyard chat --env sandbox --mode auto

The engine is asked before it changes files or runs commands (--mode ask), if it supports permissions. Each message is a
stored run that continues the conversation, so \`switchyard runs\`, \`undo\` and \`run --continue\` work with it. Type /help
in the session for its commands and keys.`;

/** Adds the command `chat`. */
export function addChatCommand(program: Command, select: Select): void {
  const command = program
    .command("chat")
    .description("Work with an agent in an interactive session.")
    .argument("[prompt...]", "first message; words are joined");
  addTaskOptions(command)
    .option("-w, --workspace <folder>", "folder to work in (default: the current one)")
    .addOption(fieldOption("fallbackModels", "model that the agent falls back to if the first one fails; repeatable"))
    .addOption(fieldOption("totalTokens", "token limit of each message"))
    .addOption(fieldOption("costMicros", "cost limit of each message in US dollars, such as 0.50"))
    .option("--continue", "continue the latest conversation in this folder")
    .addOption(new Option("--from <run>", "continue the conversation of that run").conflicts("continue"))
    .option("--trust-workspace", "trust the folder's settings, skills and adapter packages for this session")
    .option("--store <url>", STORE_HELP)
    .addHelpText("after", `${ENVIRONMENTS_HELP}\n${EPILOGUE}`)
    .action((prompt: string[], options: ChatCommandOptions) => {
      select(async (context) =>
        (await import("./execute-chat.ts")).executeChat(context, { ...options, ...taskOf(prompt) }),
      );
    });
}
