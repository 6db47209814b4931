import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionReport } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import type { EvalOutcome, EvalResults } from "../results/eval-results.ts";
import type { TrialResult } from "../results/trial-result.ts";
import { renderCharts } from "./charts.ts";
import { formatMoney, formatShare, formatTime, formatTokens } from "./format.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { renderRun } from "./render-run.ts";
import { renderStatistics } from "./render-statistics.ts";
import { renderComparison, renderMatrix } from "./render-tables.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** Maximum size of a session report that the page includes, in bytes. The page only links to larger reports. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024;
/**
 * Maximum total size of rendered runs that include their session report, in characters. Beyond it, runs are rendered
 * without their report.
 */
const MAX_PAGE = 40 * 1024 * 1024;

const HEADLINES: Readonly<Record<EvalOutcome, string>> = {
  passed: "Everything passed.",
  failed: "Some runs failed.",
  error: "Some runs ended in errors.",
  incomplete: "Some runs were skipped.",
  interrupted: "It was stopped before it was over.",
};

/**
 * Renders the comparison page of an evaluation as a stream of HTML fragments. The page loads no external resources. All
 * engine output is escaped, and the CSP allows the inline style and script by hash only.
 */
export async function* renderPage(results: EvalResults, output: string): AsyncIterable<string> {
  yield renderHead(results).markup;
  yield renderSummary(results).markup;
  let written = 0;
  for (const [index, trial] of results.trials.entries()) {
    const report = written > MAX_PAGE ? undefined : await readReport(trial, output);
    const { markup } = renderRun({ index, trial, report });
    written += markup.length;
    yield markup;
  }
  yield `<footer>Transcripts and results are kept beside this page, in <code>runs/</code>, <code>results.json</code> and <code>junit.xml</code>.</footer>\n<script>${SCRIPT}</script>\n</body>\n</html>\n`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function renderHead({ name }: EvalResults): Markup {
  const policy = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'`;
  const style = { markup: `<style>${STYLE}</style>` };
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${name} – evaluation</title>
${style}
</head>
<body>
`;
}

function renderSummary(results: EvalResults): Markup {
  const { name, outcome, started_at, finished_at, warnings } = results;
  const durationMs = Date.parse(finished_at) - Date.parse(started_at);
  return html`<h1 dir="auto">${name}</h1>
<p class="lead">${HEADLINES[outcome]} ${started_at.replace("T", " ").replace(/\.\d+Z$/u, " UTC")}, ${formatTime(durationMs)}.</p>
${renderTiles(results)}
${warnings.map((warning) => html`<p class="problem">${warning}</p>`)}
<h2>Comparison</h2>
${renderComparison(results)}
${renderCharts(results)}
${renderStatistics(results)}
<h2>Cases</h2>
${renderMatrix(results)}
<p class="legend"><span class="mark pass">✓</span> pass <span class="mark fail">✗</span> fail <span class="mark error">!</span> error <span class="mark skipped">–</span> skipped</p>
<h2>Runs</h2>
<fieldset class="filter"><label><input type="radio" name="show" id="show-all" checked> all</label><label><input type="radio" name="show" id="show-failed"> failed and errors</label><label><input type="radio" name="show" id="show-passed"> passed</label></fieldset>
`;
}

function renderTiles({ counts, usage }: EvalResults): Markup {
  const decided = counts.total - counts.skipped;
  const share = formatShare(decided === 0 ? undefined : counts.passed / decided);
  return html`<div class="tiles">
${tile("", share, "pass rate")}${tile("pass", counts.passed, "pass")}${tile("fail", counts.failed, "fail")}${tile("error", counts.errors, "error")}${tile("skipped", counts.skipped, "skipped")}
${tile("", formatTokens(usage), "tokens in all")}${tile("", formatMoney(usage), "cost in all")}
</div>`;
}

function tile(className: string, value: Content, label: string): Markup {
  return html`<div class="tile ${className}"><b>${value}</b><span>${label}</span></div>
`;
}

/**
 * Reads the parts of a session report that the page shows. Resolves with `undefined` if the report is missing,
 * unreadable or too large.
 */
async function readReport(
  { run_folder: folder }: TrialResult,
  output: string,
): Promise<Pick<SessionReport, "result" | "workspaceDiff"> | undefined> {
  if (folder === undefined) return undefined;
  const path = join(output, folder, "report.json");
  try {
    if ((await stat(path)).size > MAX_REPORT_BYTES) return undefined;
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!isRecord(value)) return undefined;
    const { sessionResultSchema } = await import("@switchyard/contracts/schemas");
    const result = sessionResultSchema.safeParse(value["result"]);
    const diff = value["workspaceDiff"];
    return {
      ...(result.success ? { result: result.data } : {}),
      ...(typeof diff === "string" ? { workspaceDiff: diff } : {}),
    };
  } catch {
    // The report may have been deleted since the trial. The trial result alone is enough to render the run.
    return undefined;
  }
}
