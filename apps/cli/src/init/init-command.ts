import type { Command } from "commander";
import type { Select } from "../program/selected-command.ts";
import type { InitOptions } from "./init-options.ts";

const NEXT = `
Makes a folder with a package of its own, outside of any other, which passes its own tests at once; changes nothing else.

Example:
  switchyard init `;

/** Adds the commands `init adapter` and `init engine`. */
export function addInitCommand(program: Command, select: Select): void {
  const init = program
    .command("init")
    .description("Begin a package of your own.")
    .addHelpText("after", "\nExample:\n  switchyard init adapter acme");
  const kinds = [
    { kind: "adapter", what: "an adapter for a coding agent's command", name: "acme" },
    { kind: "engine", what: "an engine", name: "my-engine" },
  ] as const;
  for (const { kind, what, name: example } of kinds) {
    init
      .command(kind)
      .description(`Make a package with ${what}, with tests and a file for CI.`)
      .argument("<name>", "its name: small letters, digits and single dashes, a letter first")
      .option("--folder <folder>", "folder to make (default: named after the package)")
      .option("--json", "print what was made as JSON")
      .addHelpText("after", `${NEXT}${kind} ${example}`)
      .action((name: string, options: InitOptions) => {
        select({
          printsJson: options.json === true,
          execute: async (context) =>
            (await import("./make-package.ts")).makePackage(context, { ...options, kind, name }),
        });
      });
  }
}
