import type { SessionReport } from "@switchyard/contracts";
import type { AssertionResult, TrialArtifact, TrialResult } from "../results/trial-result.ts";
import { formatCount, formatMoney, formatTime, formatTokens } from "./format.ts";
import { type Content, fileLink, html, type Markup } from "./markup.ts";
import { OUTCOMES } from "./outcomes.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { renderTranscript } from "./render-transcript.ts";

/** Maximum length of a diff on the page, in characters. */
const MAX_DIFF = 40_000;

/** Data shown for one run. */
export interface ShownRun {
  /** Index of the run on the page, starting at 0. */
  readonly index: number;
  /** Result of the run. */
  readonly trial: TrialResult;
  /** Parts of the session report that the page shows. `undefined` if the report is missing or too large. */
  readonly report?: Pick<SessionReport, "result" | "workspaceDiff"> | undefined;
}

/** Renders the section of one run: result, assertions, messages, diff, artifacts and files. */
export function renderRun({ index, trial, report }: ShownRun): Markup {
  const { outcome, variant, engine, iteration, duration_ms, usage, reason, score } = trial;
  const { symbol, className } = OUTCOMES[outcome];
  const facts = [
    formatTime(duration_ms),
    `${formatTokens(usage)} tokens`,
    `cost ${formatMoney(usage)}`,
    ...judgeFacts(trial),
  ];
  if (score !== undefined) facts.unshift(`reward ${score}`);
  const about = [variant, engine].filter((part) => part !== undefined).join(" · ");
  const began = trial.run_id === undefined ? undefined : facts.map((fact) => html`<span class="fact">${fact}</span>`);
  return html`<details class="run ${className}"><summary><span class="mark ${className}" role="img" aria-label="${outcome}">${symbol}</span><span class="about" dir="auto">${about} <span class="faint">#${iteration}</span></span><span class="reason" dir="auto">${outcome === "PASS" ? undefined : reason}</span><span class="facts">${began}</span></summary>
<div class="body" id="run-${index}">
${renderProblem(trial)}${renderTurns(trial.conversation)}${renderAssertions(trial.assertions)}${renderMessage(trial, report)}
${section("Error output", report?.result?.stderr ?? trial.stderr)}${renderTranscript(report?.result?.transcript ?? [])}${renderDiff(report)}
${renderArtifacts(trial)}${renderEarlier(trial)}${renderFiles(trial)}</div></details>
`;
}

/** Returns the tokens and the cost of the judges. The facts of the run contain only those of the engine. */
function judgeFacts({ judge_usage: judges }: TrialResult): string[] {
  return judges === undefined ? [] : [`judges ${formatTokens(judges)} tokens, ${formatMoney(judges)}`];
}

function renderProblem({ outcome, reason, error, warnings }: TrialResult): Content {
  const remedy =
    error === undefined ? undefined : html` <span class="remedy" dir="auto">${error.remedy} (${error.code})</span>`;
  const said =
    outcome === "PASS"
      ? undefined
      : html`<p class="problem"><b>${outcome}</b> <span dir="auto">${reason}</span>${remedy}</p>`;
  return [said, ...warnings.map((warning) => html`<p class="warning" dir="auto">${warning}</p>`)];
}

/** For each status of a turn, the outcome whose symbol is shown. */
const TURNS = { completed: "PASS", failed: "FAIL", skipped: "SKIPPED", error: "ERROR" } as const;

function renderTurns(turns: TrialResult["conversation"] = []): Content {
  if (turns.length === 0) return undefined;
  const rows = turns.map(({ content, response, status, reason }) => {
    const { symbol, className } = OUTCOMES[TURNS[status]];
    return html`<li><span class="mark ${className}">${symbol}</span> <code>${status}</code> <q dir="auto">${content}</q> <span class="reason" dir="auto">${reason ?? response}</span></li>
`;
  });
  return html`<h4>Turns</h4><ul class="assertions">${rows}</ul>`;
}

function renderAssertions(assertions: readonly AssertionResult[]): Content {
  if (assertions.length === 0) return undefined;
  const rows = assertions.map(({ kind, expected, outcome, reason, output, judge, judge_skills: skills }) => {
    const name = judge === undefined ? kind : `${judge}: ${kind}`;
    const { symbol, className } = OUTCOMES[outcome];
    const printed =
      output === undefined
        ? undefined
        : html`<details><summary>output</summary><pre dir="auto">${output}</pre></details>`;
    const named = skills?.map((skill) => `${skill.name} (${skill.source})`).join(", ");
    const ofSkills =
      named === undefined ? undefined : html` <span class="facts" dir="auto">Skills of the judge: ${named}</span>`;
    return html`<li><span class="mark ${className}">${symbol}</span> <code>${name}</code> <q dir="auto">${expected}</q> <span class="reason" dir="auto">${reason}</span>${ofSkills}${printed}</li>
`;
  });
  return html`<h4>Assertions</h4><ul class="assertions">${rows}</ul>`;
}

function renderMessage({ final_message }: TrialResult, report: ShownRun["report"]): Content {
  const text = report?.result?.final_message ?? final_message;
  return text === undefined || text === "" ? undefined : html`<h4>Final message</h4>${renderMarkdown(shorten(text))}`;
}

/** Maximum length of a text on the page, in characters. The report has the full text. */
const MAX_TEXT = 40_000;

function section(title: string, text: string | undefined): Content {
  if (text === undefined || text === "") return undefined;
  return html`<h4>${title}</h4><pre dir="auto">${shorten(text)}</pre>`;
}

function shorten(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n… ${formatCount(text.length - MAX_TEXT)} more characters in the report`;
}

/** Renders the diff of a run as a collapsed section with coloured lines. */
export function renderDiff(report: ShownRun["report"]): Content {
  const diff = report?.workspaceDiff ?? report?.result?.artifacts?.workspace_diff ?? "";
  if (diff === "") return undefined;
  const lines = diff.slice(0, MAX_DIFF).split("\n");
  const more = diff.length > MAX_DIFF ? "\n… the rest is in the report" : "";
  const shown = lines.map((line) => html`<span class="${classOfLine(line)}">${line}</span>\n`);
  return html`<details><summary>Changes to the workspace</summary><pre class="diff" dir="ltr" tabindex="0">${shown}${more}</pre></details>`;
}

function classOfLine(line: string): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return "added";
  if (line.startsWith("-") && !line.startsWith("---")) return "removed";
  return line.startsWith("@@") || line.startsWith("diff ") ? "hunk" : "same";
}

function renderArtifacts({ artifacts }: TrialResult): Content {
  if (artifacts.length === 0) return undefined;
  return html`<h4>Artifacts</h4><ul>${artifacts.map(renderArtifact)}</ul>`;
}

function renderArtifact({ name, path, bytes, dropped }: TrialArtifact): Markup {
  if (path === undefined)
    return html`<li><span dir="auto">${name}</span> <span class="reason" dir="auto">not archived: ${dropped}</span></li>`;
  const size = bytes === undefined ? undefined : html` <span class="facts">${formatCount(bytes)} bytes</span>`;
  return html`<li>${link(path, name)}${size}</li>`;
}

function renderEarlier({ earlier_attempts: earlier }: TrialResult): Content {
  if (earlier.length === 0) return undefined;
  const rows = earlier.map(({ run_id, reason }) => {
    const run = run_id === undefined ? undefined : html` ${link(`runs/${run_id}/report.json`, "report")}`;
    return html`<li><span dir="auto">${reason}</span>${run}</li>`;
  });
  return html`<h4>Earlier attempts</h4><ol>${rows}</ol>`;
}

function renderFiles({ run_folder: folder, workspace, model, turns, exit_code, status }: TrialResult): Markup {
  const facts = [
    model === undefined ? undefined : `model ${model}`,
    turns === undefined ? undefined : `${turns} ${turns === 1 ? "turn" : "turns"}`,
    exit_code === undefined ? undefined : `exit code ${exit_code}`,
    status === undefined ? undefined : `session ${status.replace("_", " ")}`,
  ].filter((fact) => fact !== undefined);
  const links = [
    ...(folder === undefined
      ? []
      : [
          link(`${folder}/report.json`, "report"),
          link(`${folder}/events.jsonl`, "events"),
          link(`${folder}/`, "run folder"),
        ]),
    ...(workspace === undefined ? [] : [link(`${workspace}/`, "workspace")]),
  ];
  return html`<p class="files"><span dir="auto">${facts.join(" · ")}</span> ${links.map((one) => html`${one} `)}</p>`;
}

function link(path: string, text: string): Markup {
  return html`<a href="${fileLink(path)}" rel="noopener noreferrer" dir="auto">${text}</a>`;
}
