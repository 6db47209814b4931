import type { Command } from "commander";
import { parseSeconds } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import type { VerifyOptions } from "./verify-options.ts";

const HELP = `
The module exports \`contracts\`, an object with a factory for each interface it implements:
  export const contracts = { engine: () => myEngine, checkpointStore: () => createMyStore() };
The module's code runs in this process with your permissions: only verify modules that you trust.

Exit codes: 0 no case failed, 1 at least one case failed, 2 nothing to verify.

Examples:
  switchyard verify ./dist/engine.js
  switchyard verify my-engine --kit engine --json`;

/** Adds the command `verify`. */
export function addVerifyCommand(program: Command, select: Select): void {
  program
    .command("verify")
    .description("Run the conformance kits against your engine, host or store.")
    .argument("<module>", "package, or path of a JavaScript file; its code is run")
    .option("--kit <names...>", "kits to run (default: all that the module has a factory for)")
    .option("--timeout <time>", "time limit of a case, such as 10s (default: 4s)", parseSeconds)
    .option("--json", "print the results as JSON")
    .addHelpText("after", HELP)
    .action((target: string, options: VerifyOptions) => {
      select(async (context) => (await import("./verify-module.ts")).verifyModule(context, { ...options, target }));
    });
}
