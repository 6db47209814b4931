import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import { usageError } from "../program/usage-error.ts";
import type { InitOptions } from "./init-options.ts";

const CREATES = "`switchyard init` writes switchyard.yaml; `init adapter NAME` and `init engine NAME` create packages.";

const NEXT = `
Creates a standalone package in a new folder, with tests that pass. Changes nothing else.

Example:
  switchyard init `;

const EPILOGUE = `
Without a subcommand, writes switchyard.yaml to the current folder: all settings that a project may have, commented out, with
defaults. An existing file is not overwritten. The settings are used only in a folder that you trust (\`switchyard trust\`).

Examples:
  switchyard init
  switchyard init adapter acme`;

/** Adds the command `init` and its subcommands `adapter` and `engine`. */
export function addInitCommand(program: Command, select: Select): void {
  const init = program
    .command("init")
    .description("Write a commented switchyard.yaml, or create a package from a template.")
    .usage("[command]")
    .addHelpText("after", EPILOGUE)
    .allowExcessArguments()
    .action((_: unknown, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw usageError(`\`init\` cannot create ${unknown}. ${CREATES}`, "init");
      select(async (context) => (await import("./write-settings.ts")).writeSettings(context));
    });
  const kinds = [
    { kind: "adapter", what: "an adapter for a coding agent's command", name: "acme" },
    { kind: "engine", what: "an engine", name: "my-engine" },
  ] as const;
  for (const { kind, what, name: example } of kinds) {
    init
      .command(kind)
      .description(`Create a package with ${what}, with tests and a CI workflow.`)
      .argument("<name>", "its name: lowercase letters, digits and single hyphens, starting with a letter")
      .option("--folder <folder>", "folder to create (default: named after the package)")
      .option("--json", "print the created files as JSON")
      .addHelpText("after", `${NEXT}${kind} ${example}`)
      .action((name: string, options: InitOptions) => {
        select(async (context) => (await import("./make-package.ts")).makePackage(context, { ...options, kind, name }));
      });
  }
}
