import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

/** Adds the command `validate`. */
export function addValidateCommand(program: Command, select: Select): void {
  program
    .command("validate")
    .description("Detect and validate a SessionInput, SessionResult, engine configuration or evaluation.")
    .argument("<file>", "JSON or YAML file, folder with Harbor tasks, - for standard input")
    .option("--trust-workspace", "include adapters from this folder's packages; runs their code")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  switchyard validate case.json\n  switchyard validate engine.yaml\n  switchyard validate eval.yaml\n  switchyard validate path/to/tasks",
    )
    .action((file: string, options: { json?: boolean; trustWorkspace?: boolean }) => {
      select(async (context) =>
        (await import("./validate-file.ts")).validateFile(context, {
          ...{ file, json: options.json === true, trustWorkspace: options.trustWorkspace === true },
        }),
      );
    });
}
