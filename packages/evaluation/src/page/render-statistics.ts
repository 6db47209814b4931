import type { EvalResults } from "../results/eval-results.ts";
import type { EvalComparison, FlakyCase, FrontierEntry } from "../results/eval-statistics.ts";
import { groupName } from "./charts.ts";
import { formatMoney, formatPoints, formatPValue, formatShare } from "./format.ts";
import { html, type Markup } from "./markup.ts";

/** Significance level of all comparisons together. */
const ALPHA = 0.05;
/** Minimum number of cases. With fewer cases, no difference can be significant. */
const FEWEST_CASES = 6;

/** Renders the comparisons of engines, flaky cases and the frontier. Parts without content are omitted. */
export function renderStatistics({ statistics }: EvalResults): Markup {
  const { comparisons, flaky_cases, frontier } = statistics;
  return html`${comparisons.length === 0 ? undefined : renderComparisons(comparisons)}${frontier.length === 0 ? undefined : renderFrontier(frontier)}${flaky_cases.length === 0 ? undefined : renderFlakyCases(flaky_cases)}`;
}

/** Returns a short verdict on a comparison: too few cases, no difference shown, or which engine is better. */
export function verdictOf({ left, right, cases, difference, adjusted_p_value: p }: EvalComparison): string {
  if (cases < FEWEST_CASES) return "too few cases";
  if (p > ALPHA) return "no difference shown";
  return `${groupName(difference > 0 ? left : right)} is better`;
}

function renderComparisons(comparisons: readonly EvalComparison[]): Markup {
  const rows = comparisons.map((comparison) => {
    const { left, right, cases, difference, difference_interval: interval, adjusted_p_value: p } = comparison;
    return html`<tr><th dir="auto">${groupName(left)}</th><td dir="auto">${groupName(right)}</td><td class="number">${cases}</td>
<td class="number"><b>${formatPoints(difference)}</b></td><td class="number">${formatPoints(interval.low)} to ${formatPoints(interval.high)}</td><td class="number">${formatPValue(p)}</td><td dir="auto">${verdictOf(comparison)}</td></tr>
`;
  });
  return html`<h2>Is the difference real?</h2>
<div class="scroll"><table class="pairs">
<thead><tr><th>First</th><th>Second</th><th class="number">Cases</th><th class="number">Difference</th><th class="number">95 % interval</th><th class="number">p-value</th><th>Verdict</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="legend">Differences are pass rates in percentage points, first minus second, on the same cases. The p-values are those of a permutation test with Holm’s correction; below ${ALPHA}, the difference is unlikely to be chance. ${FEWEST_CASES} cases are the fewest that can show a difference.</p>
`;
}

function renderFlakyCases(flaky: readonly FlakyCase[]): Markup {
  const rows = flaky.map(
    ({ case_id, passed, runs, p_value, ...group }) =>
      html`<tr><th dir="auto">${case_id}</th><td dir="auto">${groupName(group)}</td><td class="number">${passed} of ${runs}</td><td class="number">${formatPValue(p_value)}</td></tr>
`,
  );
  return html`<h2>Flaky cases</h2>
<div class="scroll"><table class="flaky">
<thead><tr><th>Case</th><th>Engine</th><th class="number">Passed</th><th class="number">p-value</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="legend">Cases whose outcome varied between iterations. A small p-value means that it varied more than a case whose outcome deviates in 5 % of all runs.</p>
`;
}

/** Size of the frontier plot and of its margins, in SVG units. */
const PLOT = { width: 640, height: 240, left: 48, right: 150, top: 14, bottom: 34 } as const;

function renderFrontier(frontier: readonly FrontierEntry[]): Markup {
  const rows = frontier.map(
    (
      entry,
    ) => html`<tr><th dir="auto">${groupName(entry)}</th><td class="number">${formatShare(entry.pass_rate)}</td><td class="number">${formatMoney(entry)}</td><td class="number">${formatShare(entry.frontier_share)}</td><td>${positionOf(entry)}</td></tr>
`,
  );
  return html`<h2>Pass rate and cost</h2>
${renderPlot(frontier)}
<div class="scroll"><table class="frontier">
<thead><tr><th>Engine</th><th class="number">Pass rate</th><th class="number">Cost of a run</th><th class="number">On the frontier</th><th>Position</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="legend">An engine is on the frontier if no other is at least as good and as cheap. “On the frontier” is the share of resampled evaluations in which it is.</p>
`;
}

function positionOf({ is_on_frontier, frontier_share }: FrontierEntry): string {
  if (is_on_frontier) return "on the frontier";
  return frontier_share > ALPHA ? "cannot be told from the frontier" : "behind the frontier";
}

function renderPlot(frontier: readonly FrontierEntry[]): Markup {
  const { width, height, left, right, top, bottom } = PLOT;
  const most = Math.max(...frontier.map(({ cost_usd }) => cost_usd)) || 1;
  const x = (cost: number): string => (left + (cost / most) * (width - left - right)).toFixed(1);
  const y = (rate: number): string => (top + (1 - rate) * (height - top - bottom)).toFixed(1);
  const best = frontier.filter((entry) => entry.is_on_frontier).sort((one, other) => one.cost_usd - other.cost_usd);
  const path = best.map((entry) => `${x(entry.cost_usd)},${y(entry.pass_rate)}`).join(" ");
  const dots = frontier.map(
    (entry) =>
      html`<circle class="${entry.is_on_frontier ? "best" : "dot"}" cx="${x(entry.cost_usd)}" cy="${y(entry.pass_rate)}" r="5"/><text x="${x(entry.cost_usd)}" y="${y(entry.pass_rate)}" dx="7" dy="15">${groupName(entry)}</text>`,
  );
  return html`<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="Pass rate against cost of a run">
<path class="axis" d="M${left} ${top} V${height - bottom} H${width - right}"/>
<text x="${left - 6}" y="${y(1)}" dy="4" class="end">100 %</text><text x="${left - 6}" y="${y(0)}" dy="4" class="end">0 %</text>
<text x="${left}" y="${height - 12}">$0</text><text x="${width - right}" y="${height - 12}" class="end">${formatMoney({ cost_usd: most })} a run</text>
<polyline class="line" points="${path}"/>${dots}</svg>
`;
}
