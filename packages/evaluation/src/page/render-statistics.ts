import type { EvalResults } from "../results/eval-results.ts";
import type { EvalComparison, FlakyCase, GroupName } from "../results/eval-statistics.ts";
import type { TrialResult } from "../results/trial-result.ts";
import { groupName, reachOf, renderDifferencePlot } from "./charts.ts";
import { formatPoints, formatPValue } from "./format.ts";
import { html, type Markup } from "./markup.ts";
import { renderScroll } from "./render-scroll.ts";

/** Significance level of all comparisons together. */
const ALPHA = 0.05;
/** Minimum number of cases. With fewer cases, no difference can be significant. */
const FEWEST_CASES = 6;
/** Number of flaky cases that are shown at once. The others are in a collapsed table. */
const SHOWN_FLAKY = 8;

/** Returns a short verdict on a comparison: too few cases, no difference shown, or which engine is better. */
export function verdictOf({ left, right, cases, difference, adjusted_p_value: p }: EvalComparison): string {
  if (cases < FEWEST_CASES) return "too few cases";
  if (p > ALPHA) return "no difference shown";
  return `${groupName(difference > 0 ? left : right)} is better`;
}

/** True if a comparison shows a difference beyond chance. */
export function isDifferent({ cases, adjusted_p_value: p }: EvalComparison): boolean {
  return cases >= FEWEST_CASES && p <= ALPHA;
}

/** Renders the comparisons of all pairs of engines. */
export function renderComparisons({ statistics: { comparisons }, trials }: EvalResults): Markup {
  const different = comparisons.filter(isDifferent).length;
  const all = comparisons.length;
  const title =
    all === 1
      ? different === 1
        ? "The engines differ"
        : "No difference is shown"
      : `${different} of ${all} pairs differ`;
  const reach = reachOf(comparisons.map(({ difference_interval }) => difference_interval));
  const axis = Math.round(reach * 100);
  const rows = comparisons.map((comparison) => {
    const { left, right, difference, difference_interval: interval, adjusted_p_value: p } = comparison;
    const className = !isDifferent(comparison) ? "neutral" : difference > 0 ? "pass" : "fail";
    const plot = renderDifferencePlot({ value: difference, interval, className }, reach);
    return html`<tr><th scope="row" dir="auto">${groupName(left)}</th><td dir="auto">${groupName(right)}</td>
<td class="number"><b>${formatPoints(difference)}</b></td><td class="plot-cell">${plot}</td><td class="number faint">${formatPoints(interval.low)} to ${formatPoints(interval.high)}</td>${renderWins(comparison, trials)}<td class="number">${formatPValue(p)}</td><td dir="auto" class="${className}">${verdictOf(comparison)}</td></tr>
`;
  });
  const table = html`<table class="pairs">
<thead><tr><th scope="col">First</th><th scope="col">Second</th><th scope="col" class="number">Difference</th><th scope="col">−${axis} to +${axis}</th><th scope="col" class="number">95 % interval</th><th scope="col" class="number">Better · worse · equal</th><th scope="col" class="number">p-value</th><th scope="col">Verdict</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  return html`<section id="differences"><h2>Is the difference real? <span class="finding">${title}</span></h2>
${renderScroll("Differences of engines", table)}
<p class="legend">Pass rate of the first minus that of the second, in percentage points, on the same cases. “Better · worse · equal” counts the cases. The p-values are those of a permutation test by case, which is McNemar’s exact test if each case ran once, with Holm’s correction for all pairs; below ${ALPHA}, the difference is unlikely to be chance. ${FEWEST_CASES} cases are the fewest that can show a difference.</p></section>
`;
}

/** Renders in how many cases the first engine passed more often, less often and equally often. */
function renderWins({ left, right }: EvalComparison, trials: readonly TrialResult[]): Markup {
  const [ours, theirs] = [ratesOf(left, trials), ratesOf(right, trials)];
  const differences = [...ours].flatMap(([id, rate]) => {
    const other = theirs.get(id);
    return other === undefined ? [] : [rate - other];
  });
  const count = (is: (difference: number) => boolean): number => differences.filter(is).length;
  return html`<td class="number">${count((one) => one > 0)} · ${count((one) => one < 0)} · ${count((one) => one === 0)}</td>`;
}

/** Returns the pass rate of each case that ran with an engine. */
function ratesOf({ engine, variant }: GroupName, trials: readonly TrialResult[]): Map<string, number> {
  const outcomes = new Map<string, number[]>();
  for (const trial of trials) {
    if (trial.engine !== engine || trial.variant !== variant || trial.outcome === "SKIPPED") continue;
    outcomes.set(trial.case_id, [...(outcomes.get(trial.case_id) ?? []), trial.outcome === "PASS" ? 1 : 0]);
  }
  return new Map([...outcomes].map(([id, passes]) => [id, passes.reduce((sum, one) => sum + one, 0) / passes.length]));
}

/** Renders the cases whose outcome varied, the most uncertain first. */
export function renderFlakyCases({ statistics: { flaky_cases }, groups }: EvalResults): Markup {
  const flaky = flaky_cases.toSorted((left, right) => left.p_value - right.p_value);
  const cases = new Set(flaky.map(({ case_id }) => case_id)).size;
  const finding = `${cases === 1 ? "1 case" : `${cases} cases`} passed in some runs only`;
  const rest = flaky.slice(SHOWN_FLAKY);
  const hasEngines = groups.length > 1;
  const more =
    rest.length === 0
      ? undefined
      : html`<details class="more"><summary>${rest.length} more</summary>${renderFlaky(rest, hasEngines)}</details>`;
  return html`<section id="flaky"><h2>Flaky cases <span class="finding">${finding}</span></h2>
${renderFlaky(flaky.slice(0, SHOWN_FLAKY), hasEngines)}${more}
<p class="legend">Cases whose outcome varied between iterations. A small p-value means that it varied more than a case whose outcome deviates in 5 % of all runs.</p></section>
`;
}

function renderFlaky(flaky: readonly FlakyCase[], hasEngines: boolean): Markup {
  const rows = flaky.map(
    ({ case_id, passed, runs, p_value, ...group }) =>
      html`<tr><th scope="row" dir="auto">${case_id}</th>${hasEngines ? html`<td dir="auto">${groupName(group)}</td>` : undefined}<td class="number">${passed} of ${runs}</td><td class="number">${formatPValue(p_value)}</td></tr>
`,
  );
  const engine = hasEngines ? html`<th scope="col">Engine</th>` : undefined;
  return renderScroll(
    "Flaky cases",
    html`<table class="flaky">
<thead><tr><th scope="col">Case</th>${engine}<th scope="col" class="number">Passed</th><th scope="col" class="number">p-value</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  );
}
