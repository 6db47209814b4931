import { countOutcomes, summariseGroups } from "../results/eval-results.ts";
import { keyOf, type TrialKey, type TrialResult } from "../results/trial-result.ts";
import { sumUsage } from "../results/usage.ts";
import { groupName } from "./charts.ts";
import { formatCount, formatTime } from "./format.ts";
import { LIVE_SCRIPT } from "./live-script.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { OUTCOMES } from "./outcomes.ts";
import { renderMatrix } from "./render-matrix.ts";
import { renderHead, renderLegend, renderTiles } from "./render-page.ts";
import { renderScroll } from "./render-scroll.ts";
import { renderComparison } from "./render-tables.ts";
import { estimateTimeLeft } from "./time-left.ts";

/** Maximum number of problems that are listed, the latest first. */
const MAX_PROBLEMS = 12;

/** Explains the symbols of runs that have not finished. */
const LIVE_MARKS = html` <span><span class="mark running" aria-hidden="true">…</span> running</span> <span><span class="mark waiting" aria-hidden="true">·</span> waiting</span>`;

/** State of a running evaluation. Times are in milliseconds since 1970. */
export interface LiveState {
  /** Name of the evaluation. */
  readonly name: string;
  /** Start of this process. */
  readonly startedAt: number;
  /** Current time. */
  readonly now: number;
  /** All trials in planned order. */
  readonly planned: readonly TrialKey[];
  /** Results of finished trials, in the order in which they finished. */
  readonly finished: readonly TrialResult[];
  /** Running trials by key (`keyOf`). */
  readonly running: ReadonlyMap<string, { readonly trial: TrialKey; readonly startedAt: number }>;
  /** Number of results that were stored by an earlier process, before the evaluation was resumed. */
  readonly reused: number;
  /** Maximum number of concurrent sessions. */
  readonly concurrency: number;
  /** Whether the evaluation may end before all trials have run. */
  readonly mayStopEarly: boolean;
}

/**
 * Renders the page of a running evaluation: progress, time left, running trials and the results so far. It reloads
 * itself until the report replaces it. It shows no tests of significance, because decisions based on such tests before
 * the end would too often be wrong.
 */
export function renderLivePage(state: LiveState): string {
  const { name, finished, planned, running } = state;
  const trials = inPlannedOrder(state);
  const groups = summariseGroups(trials);
  const columns = uniqueGroups(planned);
  const counts = { ...countOutcomes(finished), total: planned.length };
  const usage = sumUsage(trials.filter(({ run_id }) => run_id !== undefined).map((trial) => trial.usage));
  return html`${renderHead(name, LIVE_SCRIPT)}<header><h1 dir="auto">${name}</h1>
<p class="lead">Running for <time data-since="${state.startedAt}">${formatTime(state.now - state.startedAt)}</time>. This page updates itself, and becomes the report at the end.</p>
<p class="problem" id="stale" data-updated="${state.now}" role="status" hidden></p>
${renderProgress(state)}
${renderTiles({ counts, usage })}</header>
${renderRunning(state)}
<section id="engines"><h2>Engines <span class="finding">results so far</span></h2>
${groups.length === 0 ? html`<p class="facts">No run has finished yet.</p>` : renderComparison({ groups })}
${groups.length < 2 ? undefined : html`<p class="legend">Differences between engines are tested at the end of the evaluation. If you stop as soon as a difference looks clear, it may not exist.</p>`}</section>
<section id="cases"><h2>Cases</h2>
${renderMatrix({ groups: columns, planned, trials, running: new Set(running.keys()), hasLinks: false })}
${renderLegend(LIVE_MARKS)}</section>
${renderProblems(finished)}
</main>
${{ markup: `<script>${LIVE_SCRIPT}</script>` }}
</body>
</html>
`.markup;
}

function inPlannedOrder({ planned, finished }: LiveState): TrialResult[] {
  const results = new Map(finished.map((trial) => [keyOf(trial), trial]));
  return planned.flatMap((key) => results.get(keyOf(key)) ?? []);
}

function uniqueGroups(planned: readonly TrialKey[]): Pick<TrialKey, "engine" | "variant">[] {
  return [
    ...new Map(planned.map(({ engine, variant }) => [groupName({ engine, variant }), { engine, variant }])).values(),
  ];
}

function renderProgress(state: LiveState): Markup {
  const { planned, finished, running, reused } = state;
  const done = finished.length;
  const share = planned.length === 0 ? 0 : done / planned.length;
  const width = Number((share * 100).toFixed(2));
  const facts: Content[] = [
    html`<span><b>${formatCount(done)}</b> of ${formatCount(planned.length)} runs</span>`,
    html`<span><b>${formatCount(running.size)}</b> running</span>`,
    html`<span>${timeLeftOf(state)}</span>`,
    reused === 0 ? undefined : html`<span>${formatCount(reused)} from an earlier process</span>`,
  ];
  return html`<svg class="progress" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="${Math.round(share * 100)} % of the runs have finished"><rect class="done" width="${width}" height="6"/></svg>
<p class="status">${facts}</p>`;
}

/** Returns the time left as text. It is rounded, because it is an estimate. */
function timeLeftOf(state: LiveState): string {
  const { planned, finished, running, now, concurrency, mayStopEarly, reused } = state;
  const done = new Set([...finished.map(keyOf), ...running.keys()]);
  const left = estimateTimeLeft({
    finished: finished.length > reused ? finished.slice(reused) : finished,
    waiting: planned.filter((key) => !done.has(keyOf(key))),
    running: [...running.values()].map(({ trial, startedAt }) => ({ ...trial, elapsedMs: now - startedAt })),
    concurrency,
  });
  if (left === undefined) return "time left: known after the first run";
  const bound = mayStopEarly ? "at most " : "";
  const seconds = left / 1_000;
  if (seconds < 10) return "a few seconds left";
  if (seconds < 90) return `${bound}about ${Math.round(seconds / 10) * 10} s left`;
  const minutes = seconds / 60;
  if (minutes < 90) return `${bound}about ${Math.round(minutes)} min left`;
  return `${bound}about ${(minutes / 60).toFixed(1)} h left`;
}

function renderRunning({ running, now }: LiveState): Content {
  if (running.size === 0) return undefined;
  const rows = [...running.values()].map(
    ({ trial, startedAt }) =>
      html`<tr><th scope="row" dir="auto">${trial.case_id}</th><td dir="auto">${groupName(trial)}</td><td class="number">#${trial.iteration}</td><td class="number"><time data-since="${startedAt}">${formatTime(now - startedAt)}</time></td></tr>
`,
  );
  return html`<section id="running"><h2>Running</h2>
${renderScroll(
  "Running trials",
  html`<table><thead><tr><th scope="col">Case</th><th scope="col">Engine</th><th scope="col" class="number">Run</th><th scope="col" class="number">For</th></tr></thead>
<tbody>${rows}</tbody></table>`,
)}</section>
`;
}

function renderProblems(finished: readonly TrialResult[]): Content {
  const problems = finished.filter(({ outcome }) => outcome === "FAIL" || outcome === "ERROR");
  if (problems.length === 0) return undefined;
  const rows = problems
    .slice(-MAX_PROBLEMS)
    .reverse()
    .map((trial) => {
      const { symbol, className } = OUTCOMES[trial.outcome];
      return html`<tr><td><span class="mark ${className}" role="img" aria-label="${trial.outcome}">${symbol}</span></td><th scope="row" dir="auto">${trial.case_id}</th><td dir="auto">${groupName(trial)} <span class="faint">#${trial.iteration}</span></td><td dir="auto" class="faint wrap">${trial.reason}</td></tr>
`;
    });
  return html`<section id="problems"><h2>Latest failures <span class="finding">${formatCount(problems.length)} so far</span></h2>
${renderScroll(
  "Latest failures",
  html`<table><thead><tr><th scope="col"><span class="hidden">Outcome</span></th><th scope="col">Case</th><th scope="col">Engine</th><th scope="col">Reason</th></tr></thead>
<tbody>${rows}</tbody></table>`,
)}</section>
`;
}
