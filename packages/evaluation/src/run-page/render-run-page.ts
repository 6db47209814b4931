import { createHash } from "node:crypto";
import { type Envelope, errorText, type StoredRun } from "@switchyard/contracts";
import { formatCount, formatMoney, formatTime } from "../page/format.ts";
import { type Content, html, type Markup } from "../page/markup.ts";
import { renderDiff } from "../page/render-run.ts";
import { STYLE } from "../page/style.ts";
import { readSteps, type Step, type ToolStep } from "./read-steps.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** Maximum length of one text on the page, in characters. */
const MAX_TEXT = 100_000;
/** Maximum number of steps on the page. Steps in the middle are omitted. */
const MAX_STEPS = 2_000;
/** Maximum number of bars in the timeline. Only the first tool calls have bars. */
const MAX_BARS = 200;

const RUN_STYLE = `${STYLE}
.text { overflow-wrap: anywhere; } .text > :first-child { margin-top: 4px; } .text table { width: auto; display: block; overflow-x: auto; }
.text pre, .text code { background: var(--panel); } .text blockquote { margin: 8px 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--line); }
details.tool { margin: 8px 0; } details.tool > summary { cursor: pointer; overflow-wrap: anywhere; } .tool .facts { margin-inline-start: 8px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 12px 0; } dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
`;

/** Data of a run that `renderRunPage` renders. */
export interface RunPageOptions {
  /** Events of the run. */
  readonly events: AsyncIterable<Envelope>;
}

/**
 * Renders a stored run as one HTML file: status, engine, model, cost and tokens, the conversation, tool calls with their
 * output, a timeline and the diff. The page has no script and loads nothing. All texts of the run are untrusted: they are
 * escaped, and Markdown is rendered without HTML. Secrets that were redacted when the run was stored stay redacted.
 */
export async function renderRunPage(run: StoredRun, { events }: RunPageOptions): Promise<string> {
  const { record, report, request } = run;
  const steps = await readSteps(events, { input: request?.input, report });
  const title = record?.title ?? run.runId;
  const error = report?.error;
  const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(RUN_STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;
  const diff = renderDiff(report);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} – run</title>
${{ markup: `<style>${RUN_STYLE}</style>` }}
</head>
<body>
<main>
<h1 dir="auto">${title}</h1>
${renderTiles(run)}
${renderFacts(run)}
${error === undefined ? undefined : html`<p class="problem" dir="auto">${errorText(error)}</p>`}
${renderTimeline(steps)}
<h2>Conversation</h2>
${renderSteps(steps)}
${diff === undefined ? undefined : html`<h2>Changes</h2>\n${diff}`}
</main>
<footer>Exported from Switchyard. Secrets that Switchyard knew of are redacted.</footer>
</body>
</html>
`.markup;
}

function renderTiles({ record, report }: StoredRun): Markup {
  const status = record?.status ?? report?.status ?? "unknown";
  const tone = status === "completed" ? "pass" : status === "failed" || status === "error" ? "fail" : "error";
  const usage = report?.usage;
  const cost = usage?.costMicros ?? record?.usage?.cost_micros;
  const money = { cost_usd: cost === undefined ? undefined : cost / 1_000_000, is_cost_partial: usage?.isCostPartial };
  const input = usage?.inputTokens ?? record?.usage?.input_tokens;
  const output = usage?.outputTokens ?? record?.usage?.output_tokens;
  const count = (tokens: number | undefined): string => (tokens === undefined ? "unknown" : formatCount(tokens));
  return html`<div class="tiles">
${tile(tone, status.replace("_", " "), "status")}${tile("", formatTime(report?.timing.durationMs), "time")}${tile("", formatMoney(money), "cost")}${tile("", count(input), "input tokens")}${tile("", count(output), "output tokens")}
</div>`;
}

function tile(tone: string, value: string, label: string): Markup {
  return html`<div class="tile ${tone}"><b>${value}</b><span>${label}</span></div>
`;
}

function renderFacts({ runId, record }: StoredRun): Markup {
  const facts = [
    ["Run", runId],
    ["Engine", record?.engine],
    ["Model", record?.model],
    ["Environment", record?.environment],
    ["Started", record?.started_at ?? record?.created_at],
    ["Attempts", record === undefined ? undefined : String(record.attempt)],
  ] as const;
  const shown = facts.filter(([, value]) => value !== undefined);
  return html`<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd dir="auto">${value}</dd>`)}</dl>`;
}

function renderSteps(steps: readonly Step[]): Content {
  if (steps.length === 0) return html`<p class="facts">The run has no messages yet.</p>`;
  if (steps.length <= MAX_STEPS) return steps.map(renderStep);
  const half = MAX_STEPS / 2;
  const omitted = html`<p class="facts">… ${formatCount(steps.length - MAX_STEPS)} steps are omitted …</p>`;
  return [...steps.slice(0, half).map(renderStep), omitted, ...steps.slice(-half).map(renderStep)];
}

function renderStep(step: Step): Markup {
  if (step.kind === "tool") return renderTool(step);
  const role = ["user", "assistant", "system"].includes(step.role) ? step.role : "tool";
  return html`<div class="message ${role}"><div class="role">${step.role}</div><div class="text" dir="auto">${renderMarkdown(shorten(step.text))}</div></div>
`;
}

function renderTool(step: ToolStep): Markup {
  const failed = step.isError === true ? html` <span class="mark fail">✗</span>` : undefined;
  const duration = durationOf(step);
  const time = duration === undefined ? undefined : html`<span class="facts">${formatTime(duration)}</span>`;
  const output = step.output === undefined ? undefined : html`<p class="role">Output</p>${pre(step.output)}`;
  return html`<details class="tool"><summary><b dir="auto">${step.name}</b>${failed} <span class="facts" dir="auto">${step.input.replace(/\s+/gu, " ").slice(0, 120)}</span>${time}</summary>
<p class="role">Arguments</p>${pre(step.input)}${output}</details>
`;
}

function pre(text: string): Markup {
  return html`<pre tabindex="0" dir="auto">${shorten(text)}</pre>`;
}

function shorten(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n… ${formatCount(text.length - MAX_TEXT)} more characters`;
}

function durationOf({ atMs, endMs }: ToolStep): number | undefined {
  return atMs === undefined || endMs === undefined ? undefined : Math.max(0, endMs - atMs);
}

/** Renders one bar per tool call, on one time axis from the first to the last step. */
function renderTimeline(steps: readonly Step[]): Content {
  const times = steps.flatMap((step) => [step.atMs, step.kind === "tool" ? step.endMs : undefined]);
  const known = times.filter((time) => time !== undefined);
  const calls = steps.flatMap((step) => (step.kind === "tool" && step.atMs !== undefined ? [step] : []));
  if (calls.length === 0) return undefined;
  const start = known.reduce((left, right) => Math.min(left, right));
  const span = Math.max(1, known.reduce((left, right) => Math.max(left, right)) - start);
  const bars = calls.slice(0, MAX_BARS).map((call) => {
    const from = (((call.atMs ?? start) - start) / span) * 100;
    const width = Math.max(0.5, ((durationOf(call) ?? 0) / span) * 100);
    return html`<div class="bar"><span class="bar-name" dir="auto">${call.name}</span><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="10"></rect><rect class="${call.isError === true ? "fail" : "plain"}" x="${from.toFixed(2)}" width="${width.toFixed(2)}" height="10"></rect></svg><span class="bar-label">${formatTime(durationOf(call))}</span></div>
`;
  });
  const more = calls.length > MAX_BARS ? `, the first ${MAX_BARS} of ${formatCount(calls.length)}` : "";
  return html`<h2>Timeline</h2>
<figure class="chart"><figcaption>Tool calls from 0 s to ${formatTime(span)}${more}</figcaption>${bars}</figure>`;
}
