import { APPROVAL_MODES, PERMISSION_MODES } from "@switchyard/settings";
import { type Command, Option } from "commander";
import { addRule } from "./add-rule.ts";

/**
 * Adds the command-line options that select which tool calls may run. With `canAsk`, also adds the options for the
 * permission mode and for the agent's questions to the user.
 */
export function addApprovalOptions(command: Command, { canAsk = true }: { canAsk?: boolean } = {}): Command {
  command
    .addOption(
      new Option(
        "--approve <when>",
        "ask before tool calls (default: never; on-writes on a terminal or with --allow)",
      ).choices(APPROVAL_MODES),
    )
    .option("--allow <rule>", "run matching calls without asking, such as 'shell(git *)'; repeatable", addRule)
    .option("--deny <rule>", "never run matching calls, such as 'path:**/.env'; repeatable", addRule);
  if (!canAsk) return command;
  command.addOption(
    new Option("--mode <mode>", "plan: read-only; ask: like --approve on-writes; auto: like --approve never")
      .choices(Object.keys(PERMISSION_MODES))
      .conflicts("approve"),
  );
  return command
    .option("--ask-user", "let the agent ask you questions (default: on a terminal)")
    .option("--no-ask-user", "never let the agent ask you questions");
}
