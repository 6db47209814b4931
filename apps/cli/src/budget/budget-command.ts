import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import { BUDGETS_HELP } from "./budgets-help.ts";
import type { ShowBudgetsOptions } from "./show-budgets.ts";

const EPILOGUE = `
Examples:
  switchyard budget
  switchyard budget --budgets budgets.yaml --json`;

/** Adds the command `budget`. */
export function addBudgetCommand(program: Command, select: Select): void {
  program
    .command("budget")
    .description("Print what runs have used today of the budgets that they share.")
    .option("--budgets <file>", BUDGETS_HELP)
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .option("--json", "print JSON")
    .addHelpText("after", EPILOGUE)
    .action((options: ShowBudgetsOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./show-budgets.ts")).showBudgets(context, options),
      });
    });
}
