import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";

/** Adds the command `contract`. */
export function addContractCommand(program: Command, select: Select): void {
  program
    .command("contract")
    .description("Print the contract of agent tasks: schema ids, vocabularies, defaults.")
    .option("--json", "print the published JSON document, byte for byte")
    .addHelpText("after", "\nExample:\n  switchyard contract --json")
    .action((options: { json?: boolean }) => {
      select(async (context) => (await import("./print-contract.ts")).printContract(context, options));
    });
}
