import { join } from "node:path";
import { formatDuration, neutraliseControls, plural, renderTable, type Terminal } from "@switchyard/terminal";
import picocolors from "picocolors";
import { formatInterval } from "../page/format.ts";
import type { EvalGroup, EvalResults } from "../results/eval-results.ts";
import type { TrialUsage } from "../results/trial-result.ts";
import { RESULT_FILES } from "../results/write-results.ts";
import type { ReportFormat } from "../suite/eval-suite.ts";
import { describeJudges } from "./describe-judges.ts";
import { describePreferences } from "./describe-preferences.ts";
import { describeSequential, describeStatistics } from "./describe-statistics.ts";

const HEADLINES: Readonly<Record<EvalResults["outcome"], string>> = {
  passed: "Everything passed",
  failed: "Some runs failed",
  error: "Some runs ended in errors",
  incomplete: "Some runs were skipped",
  interrupted: "Stopped before the end",
};

const HEADINGS = [
  "ENGINE",
  "VARIANT",
  "PASS RATE",
  "95 % INTERVAL",
  "REWARD",
  "PASS",
  "FAIL",
  "ERROR",
  "SKIPPED",
  "TIME",
  "TOKENS",
  "COST",
];

/** Result files of an evaluation. */
export interface WrittenFiles {
  /** Output folder. */
  readonly output: string;
  /** Formats that were written. Default: all. */
  readonly formats?: readonly ReportFormat[] | undefined;
}

/** Prints the outcome of an evaluation, a table that compares the engines, and the paths of the report and results. */
export function printEvalEnding(
  { stdout, stderr }: Pick<Terminal, "stdout" | "stderr">,
  results: EvalResults,
  files: WrittenFiles,
): void {
  const { outcome, counts, started_at, finished_at, groups, warnings } = results;
  const colours = picocolors.createColors(stdout.hasColour);
  const colour = outcome === "passed" ? colours.green : colours.yellow;
  const duration = formatDuration(Date.parse(finished_at) - Date.parse(started_at));
  const facts = [`${counts.passed} of ${plural(counts.total, "run")} passed`, duration, costOf(results.usage)];
  const known = facts.filter((fact) => fact !== "unknown");
  const lines = ["", `${colour(HEADLINES[outcome])}: ${known.join(" · ")}`, ""];
  lines.push(...renderTable([HEADINGS, ...groups.map(rowOf)], { rightFrom: 2, omitEmpty: true }), "");
  lines.push(...describeSequential(results.sequential), ...describeStatistics(results.statistics));
  lines.push(...describePreferences(results.preferences), ...describeJudges(results));
  lines.push(...describeHelpers(results), ...describeFiles(files));
  stdout.write(`${lines.join("\n")}\n`);
  for (const warning of warnings) stderr.write(`warning: ${neutraliseControls(warning)}\n`);
}

/** Reports the usage of judges and simulated users, because the table contains only the usage of engines. */
function describeHelpers({ judge_usage: judges, simulated_user_usage: users }: EvalResults): string[] {
  const line = (name: string, usage: TrialUsage | undefined): string[] =>
    usage === undefined ? [] : [`${name}: ${tokensOf(usage)} tokens, cost ${costOf(usage)}`];
  return [...line("Judges", judges), ...line("Simulated users", users)];
}

function describeFiles({ output, formats = ["json", "junit", "html"] }: WrittenFiles): string[] {
  const { json, junit, page } = RESULT_FILES;
  const data = [...(formats.includes("json") ? [json] : []), ...(formats.includes("junit") ? [junit] : [])];
  const [first, ...rest] = data;
  return [
    ...(formats.includes("html") ? [`Report: ${join(output, page)}`] : []),
    ...(first === undefined ? [] : [`Results: ${[join(output, first), ...rest].join(", ")}`]),
  ];
}

function rowOf({
  engine,
  variant,
  counts,
  pass_rate,
  pass_rate_interval: interval,
  mean_score,
  median_duration_ms,
  usage,
}: EvalGroup): string[] {
  return [
    engine,
    variant ?? "",
    pass_rate === undefined ? "–" : `${Math.round(pass_rate * 100)} %`,
    interval === undefined ? "–" : formatInterval(interval),
    mean_score === undefined ? "" : mean_score.toFixed(2),
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
