import { type Command, Option } from "commander";
import { BUDGETS_HELP } from "../budget/budgets-help.ts";
import type { Select } from "../program/selected-command.ts";
import { STORE_HELP } from "../store/open-run-store.ts";
import type { ExecTaskOptions } from "./exec-task.ts";
import type { FindOptions } from "./find-runtimes.ts";
import type { ManifestChoice } from "./validate-runtime.ts";

const EXEC_HELP = `
Reads one agent task request (JSON) and prints one outcome. Exit code 0 means that an outcome was printed, even if it reports
a failure; 2 means that none could be printed, because the input is not JSON or has no task_id.

Examples:
  switchyard runtimes exec agent < request.json
  switchyard runtimes exec claude-code < request.json`;

/** Adds the commands `runtimes list`, `show`, `validate` and `exec`. */
export function addRuntimesCommand(program: Command, select: Select): void {
  const runtimes = program
    .command("runtimes")
    .description("List and check runtime packages, and execute a task.")
    .addHelpText("after", "\nExample:\n  switchyard runtimes list");
  trusting(runtimes.command("list").description("List installed runtime packages."))
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  switchyard runtimes list --trust-workspace")
    .action((options: FindOptions & { json?: boolean }) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./list-runtimes.ts")).listRuntimes(context, options),
      });
    });
  trusting(runtimes.command("show").description("Show a runtime package and its missing requirements on this machine."))
    .argument("<id>", "id of the runtime")
    .option("--json", "print the manifest and the findings as JSON")
    .addHelpText("after", "\nExample:\n  switchyard runtimes show switchyard --trust-workspace")
    .action((id: string, options: FindOptions & { json?: boolean }) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./show-runtime.ts")).showRuntime(context, { ...options, id }),
      });
    });
  runtimes
    .command("validate")
    .description("Check the manifest of a runtime package, without running its code.")
    .argument("<folder>", "folder of the package")
    .addOption(
      new Option("--level <level>", "strict: all fields of the specification; load: fields needed to run it")
        .choices(["strict", "load"])
        .default("strict"),
    )
    .option("--json", "print the results as JSON")
    .addHelpText("after", "\nExample:\n  switchyard runtimes validate agent-runtimes/acme --level load")
    .action((folder: string, options: Omit<ManifestChoice, "folder">) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./validate-runtime.ts")).validateRuntime(context, { ...options, folder }),
      });
    });
  runtimes
    .command("exec")
    .description("Execute an agent task: read a request from standard input, print an outcome to standard output.")
    .argument("<engine>", "engine name, or path of an engine configuration")
    .option("--model <provider/name>", "model for requests that name none")
    .option("--base-url <url>", "base URL of the model's API")
    .option("--direct", "let the engine call models with the API key instead of through the model gateway")
    .option("--state <folder>", "folder that stores runs (default: $XDG_STATE_HOME/switchyard)")
    .option("--store <url>", STORE_HELP)
    .option("--budgets <file>", BUDGETS_HELP)
    .addHelpText("after", EXEC_HELP)
    .action((engine: string, options: Omit<ExecTaskOptions, "engine">) => {
      select({
        printsJson: false,
        execute: async (context) => (await import("./exec-task.ts")).execTask(context, { ...options, engine }),
      });
    });
}

function trusting(command: Command): Command {
  return command.option("--trust-workspace", "include the current project and its npm packages");
}
