import { type Command, Option } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { ExecTaskOptions } from "./exec-task.ts";
import type { FindOptions } from "./find-runtimes.ts";
import type { ManifestChoice } from "./validate-runtime.ts";

const EXEC_HELP = `
Reads one agent task request (JSON) and prints one outcome. Exit code 0 whenever an outcome was printed, whatever it
says; 2 where none can be: the input is no JSON, or has no task_id.

Examples:
  switchyard runtimes exec agent < request.json
  switchyard runtimes exec claude-code < request.json`;

/** Adds the commands `runtimes list`, `show`, `validate` and `exec`. */
export function addRuntimesCommand(program: Command, select: Select): void {
  const runtimes = program
    .command("runtimes")
    .description("Look at packaged agents, and execute a task as one.")
    .addHelpText("after", "\nExample:\n  switchyard runtimes list");
  trusting(runtimes.command("list").description("List the runtime packages that are installed."))
    .option("--json", "print them as JSON")
    .addHelpText("after", "\nExample:\n  switchyard runtimes list --trust-workspace")
    .action((options: FindOptions & { json?: boolean }) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./list-runtimes.ts")).listRuntimes(context, options),
      });
    });
  trusting(runtimes.command("show").description("Show a runtime package, and what it lacks on this machine."))
    .argument("<id>", "id of the runtime")
    .option("--json", "print its manifest and the findings as JSON")
    .addHelpText("after", "\nExample:\n  switchyard runtimes show switchyard --trust-workspace")
    .action((id: string, options: FindOptions & { json?: boolean }) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./show-runtime.ts")).showRuntime(context, { ...options, id }),
      });
    });
  runtimes
    .command("validate")
    .description("Check the manifest of a runtime package; nothing of it is run.")
    .argument("<folder>", "folder of the package")
    .addOption(
      new Option("--level <level>", "strict: all fields of the specification; load: what running it takes")
        .choices(["strict", "load"])
        .default("strict"),
    )
    .option("--json", "print the findings as JSON")
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
    .description("Execute an agent task with an engine: a request on standard input, an outcome on standard output.")
    .argument("<engine>", "name of the engine, or path of an engine configuration")
    .option("--model <provider/name>", "model for requests that name none")
    .option("--base-url <url>", "address of the model's API")
    .option("--state <folder>", "folder that keeps the runs")
    .addHelpText("after", EXEC_HELP)
    .action((engine: string, options: Omit<ExecTaskOptions, "engine">) => {
      select({
        printsJson: false,
        execute: async (context) => (await import("./exec-task.ts")).execTask(context, { ...options, engine }),
      });
    });
}

function trusting(command: Command): Command {
  return command.option("--trust-workspace", "look into the current project and its npm packages as well");
}
