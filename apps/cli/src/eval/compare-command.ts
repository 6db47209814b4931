import { type Command, InvalidArgumentError } from "commander";
import { collectText } from "../program/option-value.ts";
import type { Select } from "../program/selected-command.ts";
import type { CompareOptions } from "./execute-compare.ts";

const EPILOGUE = `
Each argument is a results.json or an output folder of switchyard eval. Cases are matched by their ids.
With --gate, the command exits with 5 if the pass rate fell beyond chance, a limit is exceeded, or cases are missing.

Examples:
  switchyard eval compare base new
  switchyard eval compare base/results.json new/results.json --gate --junit gate.xml
  switchyard eval compare base new --gate --max-cost-increase 20% --max-time-increase 50%
  switchyard eval compare last-week new --history two-weeks-ago --history three-weeks-ago`;

/** Adds the command `eval compare`. */
export function addCompareCommand(evaluation: Command, select: Select): void {
  evaluation
    .command("compare")
    .description("Compare the results of two evaluations, and fail on regressions with --gate.")
    .argument("<base>", "results to compare with")
    .argument("<new>", "new results")
    .option("--gate", "exit with 5 on a regression, an exceeded limit or missing cases")
    .option("--max-cost-increase <percent>", "maximum increase of the mean cost of a run, such as 20%", parsePercent)
    .option("--max-time-increase <percent>", "maximum increase of the mean duration of a run", parsePercent)
    .option("--allow-missing", "accept cases that only the base has")
    .option("--history <results>", "earlier results to pool with the base; repeatable", collectText)
    .option("--junit <file>", "write the checks of the gate as JUnit XML")
    .option("-o, --output <file>", "write the comparison as JSON")
    .option("--json", "print the comparison as one JSON document")
    .addHelpText("after", EPILOGUE)
    .action((base: string, current: string, options: Omit<CompareOptions, "base" | "current">) => {
      select({
        printsJson: options.json === true,
        execute: async (context) =>
          (await import("./execute-compare.ts")).executeCompare(context, { ...options, base, current }),
      });
    });
}

function parsePercent(text: string): number {
  const [, digits] = /^(\d{1,6}(?:\.\d{1,3})?)\s*%?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError("Write a percentage, for example 20%.");
  return Number(digits) / 100;
}
