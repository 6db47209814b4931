import type { Command } from "commander";
import { parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import type { VerifyOptions } from "./verify-options.ts";

const HELP = `
The module exports \`contracts\`, an object with a factory for each interface it implements:
  export const contracts = { engine: () => myEngine, checkpointStore: () => createMyStore() };
Its code is loaded and run in this process, with all your rights: verify what you trust.

Exit codes: 0 no case failed, 1 one failed, 2 there is nothing to verify.

Examples:
  switchyard verify ./dist/engine.js
  switchyard verify my-engine --kit engine --json`;

/** Adds the command `verify`. */
export function addVerifyCommand(program: Command, select: Select): void {
  program
    .command("verify")
    .description("Prove that an engine, a host or a store of yours keeps its contract.")
    .argument("<module>", "package, or path of a JavaScript file; it is loaded and run")
    .option("--kit <names...>", "contracts to run (default: all that the module has a factory for)")
    .option("--timeout <time>", "longest time for one case, such as 10s (default: 4s)", parseSeconds)
    .option("--json", "print the findings as JSON")
    .addHelpText("after", HELP)
    .action((target: string, options: VerifyOptions) => {
      select({
        printsJson: options.json === true,
        execute: async (context) => (await import("./verify-module.ts")).verifyModule(context, { ...options, target }),
      });
    });
}
