import { join } from "node:path";
import { type EvalGroup, type EvalResults, RESULT_FILES, type TrialUsage } from "@switchyard/evaluation";
import { displayWidth, formatDuration, neutraliseControls, plural } from "@switchyard/terminal";
import picocolors from "picocolors";
import type { CommandContext } from "../context/command-context.ts";

const HEADLINES: Readonly<Record<EvalResults["outcome"], string>> = {
  passed: "Everything passed",
  failed: "Some runs failed",
  error: "Some runs ended in errors",
  incomplete: "Some runs were skipped",
  interrupted: "Stopped before the end",
};

const HEADINGS = ["ENGINE", "VARIANT", "PASS RATE", "PASS", "FAIL", "ERROR", "SKIPPED", "TIME", "TOKENS", "COST"];

/** Prints the outcome of an evaluation, a table that compares the engines, and the paths of the report and results. */
export function printEvalEnding({ stdout, stderr }: CommandContext, results: EvalResults, output: string): void {
  const { outcome, counts, started_at, finished_at, groups, warnings } = results;
  const colours = picocolors.createColors(stdout.hasColour);
  const colour = outcome === "passed" ? colours.green : colours.yellow;
  const took = formatDuration(Date.parse(finished_at) - Date.parse(started_at));
  const facts = [`${counts.passed} of ${plural(counts.total, "run")} passed`, took, costOf(results.usage)];
  const known = facts.filter((fact) => fact !== "unknown");
  const lines = ["", `${colour(HEADLINES[outcome])}: ${known.join(" · ")}`, ""];
  lines.push(...renderTable([HEADINGS, ...groups.map(rowOf)]), "");
  lines.push(`Report: ${join(output, RESULT_FILES.page)}`);
  lines.push(`Results: ${join(output, RESULT_FILES.json)}, ${RESULT_FILES.junit}`);
  stdout.write(`${lines.join("\n")}\n`);
  for (const warning of warnings) stderr.write(`warning: ${neutraliseControls(warning)}\n`);
}

function rowOf({ engine, variant, counts, pass_rate, median_duration_ms, usage }: EvalGroup): string[] {
  return [
    engine,
    variant ?? "",
    pass_rate === undefined ? "–" : `${Math.round(pass_rate * 100)} %`,
    ...[counts.passed, counts.failed, counts.errors, counts.skipped].map(String),
    median_duration_ms === undefined ? "unknown" : formatDuration(median_duration_ms),
    tokensOf(usage),
    costOf(usage),
  ];
}

function tokensOf({ input_tokens, output_tokens, are_tokens_partial: isPartial }: TrialUsage): string {
  if (input_tokens === undefined && output_tokens === undefined) return "unknown";
  const sum = ((input_tokens ?? 0) + (output_tokens ?? 0)).toLocaleString("en-US");
  return isPartial === true ? `at least ${sum}` : sum;
}

function costOf({ cost_usd: cost, is_cost_partial: isPartial }: TrialUsage): string {
  if (cost === undefined) return "unknown";
  return `${isPartial === true ? "at least " : ""}$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}

/** Renders rows as an aligned table. Omits empty columns. */
function renderTable(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => neutraliseControls(cell).replace(/\s+/g, " ")));
  const widths = HEADINGS.map((_, column) => {
    const isEmpty = cells.slice(1).every((row) => (row[column] ?? "") === "");
    return isEmpty ? 0 : Math.max(...cells.map((row) => displayWidth(row[column] ?? "")));
  });
  const pad = (cell: string, column: number): string => {
    const room = " ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
    return column < 2 ? cell + room : room + cell;
  };
  return cells.map((row) =>
    row
      .flatMap((cell, column) => (widths[column] === 0 ? [] : [pad(cell, column)]))
      .join("  ")
      .trimEnd(),
  );
}
