import { createHash } from "node:crypto";
import type { HistoryEntry } from "../results/eval-history.ts";
import type { EvalOutcome, EvalResults, OutcomeCounts } from "../results/eval-results.ts";
import { readRunReport } from "../results/read-run-report.ts";
import type { TrialResult, TrialUsage } from "../results/trial-result.ts";
import { findingOf } from "./finding.ts";
import { formatCount, formatInstant, formatMoney, formatTime, formatTokens } from "./format.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { renderFrontier } from "./render-frontier.ts";
import { renderHistory } from "./render-history.ts";
import { renderJudges } from "./render-judges.ts";
import { renderMatrix } from "./render-matrix.ts";
import { renderPreferences } from "./render-preferences.ts";
import { renderRun } from "./render-run.ts";
import { renderComparisons, renderFlakyCases } from "./render-statistics.ts";
import { renderComparison } from "./render-tables.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/**
 * Maximum total size of the sections of runs with session reports, in characters. Beyond this size, the page contains
 * the remaining runs without their session reports.
 */
const MAX_PAGE = 40 * 1024 * 1024;

const HEADLINES: Readonly<Record<EvalOutcome, string>> = {
  passed: "Everything passed.",
  failed: "Some runs failed.",
  error: "Some runs ended in errors.",
  incomplete: "Some runs were skipped.",
  interrupted: "The evaluation was stopped before it was complete.",
};

/**
 * Renders the report page of an evaluation as a stream of HTML fragments. The page loads no external resources. All
 * engine output is escaped, and the CSP allows the inline style and script by hash only. `history` holds the
 * evaluations of the same folder, this one last. Default: none.
 */
export async function* renderPage(
  results: EvalResults,
  output: string,
  history: readonly HistoryEntry[] = [],
): AsyncIterable<string> {
  yield renderHead(results.name, SCRIPT).markup;
  yield renderSummary(results, history).markup;
  let written = 0;
  for (const [caseId, runs] of runsByCase(results.trials)) {
    yield renderCaseHead(caseId, runs).markup;
    for (const { trial, index } of runs) {
      const report = written > MAX_PAGE ? undefined : await readRunReport(trial, output);
      const { markup } = renderRun({ index, trial, report });
      written += markup.length;
      yield markup;
    }
    yield "</div>\n";
  }
  yield `</section>\n</main>\n<footer>Transcripts and results are stored next to this page, in <code>runs/</code>, <code>results.json</code> and <code>junit.xml</code>.</footer>\n<script>${SCRIPT}</script>\n</body>\n</html>\n`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Renders everything before the content of a page. `script` is the only script that may run. */
export function renderHead(name: string, script: string): Markup {
  const policy = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;
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
<main>
`;
}

function renderSummary(results: EvalResults, history: readonly HistoryEntry[]): Markup {
  const { name, outcome, started_at, finished_at, warnings, groups, trials, statistics, judges, preferences } = results;
  const durationMs = Date.parse(finished_at) - Date.parse(started_at);
  const cases = new Set(trials.map(({ case_id }) => case_id)).size;
  const sections: Content[] = [
    statistics.comparisons.length === 0 ? undefined : renderComparisons(results),
    statistics.frontier.length === 0 ? undefined : renderFrontier(results),
    preferences === undefined || preferences.summaries.length === 0 ? undefined : renderPreferences(preferences),
    judges === undefined ? undefined : renderJudges(judges, results),
    renderCases(results),
    statistics.flaky_cases.length === 0 ? undefined : renderFlakyCases(results),
    history.length < 2 ? undefined : renderHistory(history, groups),
  ];
  const finding = findingOf(results);
  return html`<header><h1 dir="auto">${name}</h1>
<p class="lead">${HEADLINES[outcome]} ${formatInstant(started_at)}, ${formatTime(durationMs)}, ${formatCount(cases)} ${cases === 1 ? "case" : "cases"}.</p>
${finding === undefined ? undefined : html`<p class="headline" dir="auto">${finding}</p>`}
${renderTiles(results)}</header>
${warnings.map((warning) => html`<p class="problem" dir="auto">${warning}</p>`)}
<section id="engines"><h2>Engines</h2>
${renderComparison(results)}</section>
${sections}
<section id="runs"><h2>Runs</h2>
<fieldset class="filter"><legend class="hidden">Runs to show</legend><label><input type="radio" name="show" id="show-all" checked> all</label><label><input type="radio" name="show" id="show-failed"> failed and errors</label><label><input type="radio" name="show" id="show-passed"> passed</label><label class="search" hidden>Search <input type="search" id="search" placeholder="case, engine or reason" autocomplete="off"></label></fieldset>
<p id="none" class="facts" role="status"></p>
`;
}

function renderCases({ groups, trials }: EvalResults): Markup {
  return html`<section id="cases"><h2>Cases</h2>
${renderMatrix({ groups, planned: trials, trials, hasLinks: true })}
${renderLegend()}</section>
`;
}

/** Explains the outcome symbols of a matrix. `more`: explanations of the symbols that only a running evaluation has. */
export function renderLegend(more?: Content): Markup {
  return html`<p class="legend marks-legend"><span><span class="mark pass" aria-hidden="true">✓</span> pass</span> <span><span class="mark fail" aria-hidden="true">✗</span> fail</span> <span><span class="mark error" aria-hidden="true">!</span> error</span> <span><span class="mark skipped" aria-hidden="true">–</span> skipped</span>${more}</p>`;
}

/** Renders the counts of outcomes and the usage of the whole evaluation. */
export function renderTiles({ counts, usage }: { counts: OutcomeCounts; usage: TrialUsage }): Markup {
  return html`<div class="tiles">
${tile("pass", counts.passed, "pass")}${tile("fail", counts.failed, "fail")}${tile("error", counts.errors, "error")}${tile("skipped", counts.skipped, "skipped")}${tile("", formatTokens(usage), "tokens in all")}${tile("", formatMoney(usage), "cost in all")}
</div>`;
}

function tile(className: string, value: Content, label: string): Markup {
  return html`<div class="tile ${value === 0 ? "faint" : className}"><b>${value}</b><span>${label}</span></div>
`;
}

interface IndexedTrial {
  readonly trial: TrialResult;
  readonly index: number;
}

/** Groups runs by case. The runs of one engine and variant follow each other. */
function runsByCase(trials: readonly TrialResult[]): Map<string, IndexedTrial[]> {
  const cases = new Map<string, Map<string, IndexedTrial[]>>();
  for (const [index, trial] of trials.entries()) {
    const groups = cases.get(trial.case_id) ?? new Map<string, IndexedTrial[]>();
    cases.set(trial.case_id, groups);
    const key = JSON.stringify([trial.engine, trial.variant]);
    const runs = groups.get(key);
    if (runs === undefined) groups.set(key, [{ trial, index }]);
    else runs.push({ trial, index });
  }
  return new Map([...cases].map(([id, groups]) => [id, [...groups.values()].flat()]));
}

function renderCaseHead(caseId: string, runs: readonly IndexedTrial[]): Markup {
  const passed = runs.filter(({ trial }) => trial.outcome === "PASS").length;
  return html`<div class="case-runs"><h3><span dir="auto">${caseId}</span> <span class="facts">${passed} of ${runs.length} passed</span></h3>
`;
}
