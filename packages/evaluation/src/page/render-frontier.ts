import type { EvalResults } from "../results/eval-results.ts";
import type { FrontierEntry } from "../results/eval-statistics.ts";
import type { Interval } from "../statistics/index.ts";
import { groupName } from "./charts.ts";
import { formatMoney, formatShare } from "./format.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { renderScroll } from "./render-scroll.ts";
import { listNames } from "./render-tables.ts";

/**
 * Maximum `frontier_share` of an engine that is shown as behind the frontier. The share is the fraction of resampled
 * evaluations (random samples of the cases) in which the engine is on the frontier. With a higher share, an engine is
 * shown as not distinguishable from the frontier.
 */
const ALPHA = 0.05;
/** Size of the plot and of its margins, in SVG units. */
const PLOT = { width: 460, height: 270, left: 46, right: 16, top: 12, bottom: 40 } as const;
/** Maximum length of a name in the plot, in characters. Longer names are truncated. */
const MAX_NAME = 24;
/** Minimum distance of two names in the plot, in SVG units. */
const LINE = 15;

/** Renders pass rate against cost, with the engines that no other engine beats. */
export function renderFrontier({ statistics: { frontier }, groups }: EvalResults): Markup {
  const best = frontier.filter((entry) => entry.is_on_frontier);
  const finding = `${listNames(best)} ${best.length === 1 ? "is as good and as cheap as any other" : "are on the frontier"}`;
  const rows = frontier.map(
    (
      entry,
    ) => html`<tr><th scope="row" dir="auto">${groupName(entry)}</th><td class="number">${formatShare(entry.pass_rate)}</td><td class="number">${formatMoney(entry)}</td><td class="number">${formatShare(entry.frontier_share)}</td><td>${positionOf(entry)}</td></tr>
`,
  );
  const table = html`<table class="frontier">
<thead><tr><th scope="col">Engine</th><th scope="col" class="number">Pass rate</th><th scope="col" class="number">Cost of a run</th><th scope="col" class="number">On the frontier</th><th scope="col">Position</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  const intervals = new Map(groups.map((group) => [groupName(group), group.pass_rate_interval]));
  return html`<section id="cost"><h2>Pass rate and cost <span class="finding" dir="auto">${finding}</span></h2>
<div class="side">${renderPlot(frontier, intervals)}
<div>${renderScroll("Pass rate and cost", table)}
<p class="legend">An engine is on the frontier if no other is at least as good and as cheap. “On the frontier” is the share of resampled evaluations in which the engine is on the frontier. Vertical lines are 95 % intervals.</p></div></div></section>
`;
}

function positionOf({ is_on_frontier, frontier_share }: FrontierEntry): string {
  if (is_on_frontier) return "on the frontier";
  return frontier_share > ALPHA ? "not distinguishable from the frontier" : "behind the frontier";
}

interface Scales {
  readonly x: (cost: number) => number;
  readonly y: (rate: number) => number;
}

function renderPlot(frontier: readonly FrontierEntry[], intervals: ReadonlyMap<string, Interval | undefined>): Markup {
  const { width, height, left, right, top, bottom } = PLOT;
  const step = stepOf(Math.max(...frontier.map(({ cost_usd }) => cost_usd)));
  const steps = Math.max(1, Math.ceil(Math.max(...frontier.map(({ cost_usd }) => cost_usd)) / step - 1e-9));
  const scales: Scales = {
    x: (cost) => left + (cost / (steps * step)) * (width - left - right),
    y: (rate) => top + (1 - rate) * (height - top - bottom),
  };
  const best = frontier.filter((entry) => entry.is_on_frontier).sort((one, other) => one.cost_usd - other.cost_usd);
  return html`<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="Pass rate against cost of a run: ${frontier.map((entry) => `${groupName(entry)} ${formatShare(entry.pass_rate)} at ${formatMoney(entry)}`).join(", ")}">
${renderAxes(scales, { step, steps })}
<path class="line" d="${pathOf(best, scales)}"/>${frontier.map((entry) => renderDot(entry, scales, intervals.get(groupName(entry))))}${renderNames(frontier, scales)}</svg>
`;
}

/**
 * Returns the distance of ticks on the cost axis: 1, 2 or 5 times a power of ten, so that the axis has two to five
 * ticks.
 */
function stepOf(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return most / power >= 5 ? power * 2 : most / power >= 2 ? power : power / 2;
}

function renderAxes({ x, y }: Scales, { step, steps }: { step: number; steps: number }): Content {
  const { width, height, left, right, bottom } = PLOT;
  const rates = [0, 0.25, 0.5, 0.75, 1].map(
    (rate) =>
      html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(rate).toFixed(1)}" y2="${y(rate).toFixed(1)}"/><text class="end" x="${left - 8}" y="${(y(rate) + 4).toFixed(1)}">${Math.round(rate * 100)} %</text>`,
  );
  const costs = Array.from({ length: steps + 1 }, (_, index) => {
    const place = index === steps ? "end" : index === 0 ? "start" : "middle";
    return html`<text class="${place}" x="${x(index * step).toFixed(1)}" y="${height - bottom + 18}">$${Number((index * step).toPrecision(3))}</text>`;
  });
  return [
    ...rates,
    ...costs,
    html`<text class="middle" x="${(left + width - right) / 2}" y="${height - 4}">cost of a run</text>`,
  ];
}

/** Returns the path of the frontier: for each cost, the best pass rate that it buys. */
function pathOf(best: readonly FrontierEntry[], { x, y }: Scales): string {
  const [first] = best;
  if (first === undefined) return "";
  const steps = best.slice(1).map((entry) => `H${x(entry.cost_usd).toFixed(1)} V${y(entry.pass_rate).toFixed(1)}`);
  return [
    `M${x(first.cost_usd).toFixed(1)} ${y(first.pass_rate).toFixed(1)}`,
    ...steps,
    `H${PLOT.width - PLOT.right}`,
  ].join(" ");
}

function renderDot(entry: FrontierEntry, { x, y }: Scales, interval: Interval | undefined): Markup {
  const [cx, className] = [x(entry.cost_usd).toFixed(1), entry.is_on_frontier ? "best" : "dot"];
  const whisker =
    interval === undefined
      ? undefined
      : html`<line class="whisker ${className}" x1="${cx}" x2="${cx}" y1="${y(interval.high).toFixed(1)}" y2="${y(interval.low).toFixed(1)}"/>`;
  return html`${whisker}<circle class="${className}" cx="${cx}" cy="${y(entry.pass_rate).toFixed(1)}" r="5"/>`;
}

/** Renders the names beside their dots. Names that would overlap are moved down. */
function renderNames(frontier: readonly FrontierEntry[], { x, y }: Scales): Content {
  const placed: { left: number; right: number; y: number }[] = [];
  return frontier
    .toSorted((one, other) => other.pass_rate - one.pass_rate)
    .map((entry) => {
      const name = groupName(entry);
      const shown = name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;
      const at = x(entry.cost_usd);
      const isLeft = at > (PLOT.left + PLOT.width) / 2;
      const length = shown.length * 7.2;
      const box = isLeft ? { left: at - length - 9, right: at - 9 } : { left: at + 9, right: at + length + 9 };
      let line = y(entry.pass_rate) + (entry.pass_rate > 0.95 ? 16 : -7);
      while (placed.some((one) => Math.abs(one.y - line) < LINE && one.left < box.right && box.left < one.right))
        line += LINE;
      placed.push({ ...box, y: line });
      return html`<text class="${isLeft ? "end" : "start"}" x="${(isLeft ? at - 9 : at + 9).toFixed(1)}" y="${line.toFixed(1)}">${shown}</text>`;
    });
}
