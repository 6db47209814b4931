import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

/** Adds the command `validate`. */
export function addValidateCommand(program: Command, select: Select): void {
  program
    .command("validate")
    .description("Check a SessionInput, a SessionResult or an engine configuration, and say which it is.")
    .argument("<file>", "JSON or YAML file, - for standard input")
    .option("--trust-workspace", "know the adapters among the packages of this folder, too; runs their code")
    .option("--json", "print the finding as JSON")
    .addHelpText("after", "\nExamples:\n  switchyard validate case.json\n  switchyard validate engine.yaml")
    .action((file: string, options: { json?: boolean; trustWorkspace?: boolean }) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./validate-file.ts")).validateFile(context, {
            ...{ file, json: options.json === true, trustWorkspace: options.trustWorkspace === true },
          }),
      });
    });
}
