import { type Command, Option } from "commander";
import { APPROVAL_MODES } from "./approval-mode.ts";
import { addRule } from "./parse-rule.ts";

/** Adds the options that say which calls may run and who is asked. */
export function addApprovalOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--approve <when>", "ask before tool calls (default: never; on-writes with --allow)").choices(
        APPROVAL_MODES,
      ),
    )
    .option("--allow <rule>", "let calls run without a question, such as 'shell(git *)'; can be repeated", addRule)
    .option("--deny <rule>", "let calls never run, such as 'path:**/.env'; can be repeated", addRule)
    .option("--ask-user", "let the agent ask you questions (default: on a terminal)")
    .option("--no-ask-user", "never let it");
}
