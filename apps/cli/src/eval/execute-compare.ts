import { resolve } from "node:path";
import { type ComparisonLimits, compareResults, readResults, renderComparisonJunit } from "@switchyard/evaluation";
import { describeComparison, describeGate } from "@switchyard/evaluation/terminal";
import { assertWritable, replaceOutput, toPlainJson, writeJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Exit code if `--gate` is given and the comparison fails. */
const GATE_FAILED = 5;

/** Options of the command `eval compare`. */
export interface CompareOptions extends Pick<ComparisonLimits, "maxCostIncrease" | "maxTimeIncrease" | "allowMissing"> {
  /** Path of the results to compare with. */
  base: string;
  /** Path of the new results. */
  current: string;
  /** Whether a regression, an exceeded limit or missing cases fail the command. */
  gate?: boolean;
  /** Paths of earlier results. Their runs are added to those of the base. */
  history?: readonly string[];
  /** Path of the JUnit file to write. */
  junit?: string;
  /** Path of the JSON file to write. */
  output?: string;
  /** Whether to print JSON. */
  json?: boolean;
}

/** Compares the results of two evaluations. Resolves with the exit code. Rejects if results cannot be read. */
export async function executeCompare(context: CommandContext, options: CompareOptions): Promise<number> {
  const pathOf = (path: string): string => resolve(context.workingDirectory, path);
  const [junit, output] = [options.junit, options.output].map((path) =>
    path === undefined ? undefined : pathOf(path),
  );
  for (const path of [junit, output]) if (path !== undefined) await assertWritable(path);
  const base = await Promise.all([options.base, ...(options.history ?? [])].map((path) => readResults(pathOf(path))));
  const comparison = compareResults({ base, current: await readResults(pathOf(options.current)) }, options);
  if (junit !== undefined) await replaceOutput(junit, renderComparisonJunit(comparison));
  if (output !== undefined) await writeJson(output, comparison);
  const gate = options.gate === true ? ["", ...describeGate(comparison)] : [];
  const lines = options.json === true ? [toPlainJson(comparison)] : [...describeComparison(comparison), ...gate];
  context.stdout.write(`${lines.join("\n")}\n`);
  return options.gate === true && comparison.outcome === "failed" ? GATE_FAILED : 0;
}
