import type { EvalGroup, EvalResults } from "../results/eval-results.ts";
import { hasTokens, tokensOf } from "../results/usage.ts";
import { formatMoney, formatShare, formatTime, formatTokens } from "./format.ts";
import { type Content, html, type Markup } from "./markup.ts";

/** Width of a chart, in SVG units. */
const WIDTH = 100;

/** Returns the display name of an engine and its variant. */
export function groupName({ engine, variant }: Pick<EvalGroup, "engine" | "variant">): string {
  return variant === undefined ? engine : `${engine} · ${variant}`;
}

/** One bar of a chart. */
interface Bar {
  name: string;
  /** Length, in the unit of the chart. `undefined` if unknown. */
  value: number | undefined;
  /** Text to the right of the bar. */
  label: string;
  /** Segments of the bar, with CSS class and share of the bar's length from 0 to 1. Default: one plain segment. */
  parts?: readonly { className: string; share: number }[];
}

/** Renders charts that compare all engines and variants: pass rate, time, tokens and cost. */
export function renderCharts({ groups }: EvalResults): Markup {
  return html`<div class="charts">
${renderChart("Pass rate", "share of runs with PASS", groups.map(outcomeBar))}
${renderChart("Time", "median of a session", groups.map(timeBar))}
${renderChart("Tokens", "mean of a session", groups.map(tokenBar))}
${renderChart("Cost", "mean of a session", groups.map(costBar))}
</div>`;
}

function outcomeBar(group: EvalGroup): Bar {
  const { counts, pass_rate } = group;
  const share = (count: number): number => (counts.total === 0 ? 0 : count / counts.total);
  const parts = [
    { className: "pass", share: share(counts.passed) },
    { className: "fail", share: share(counts.failed) },
    { className: "error", share: share(counts.errors) },
    { className: "skipped", share: share(counts.skipped) },
  ];
  return { name: groupName(group), value: 1, label: formatShare(pass_rate), parts };
}

function timeBar(group: EvalGroup): Bar {
  const { median_duration_ms: value } = group;
  return { name: groupName(group), value, label: formatTime(value) };
}

/** Returns the number of runs that were not skipped. At least 1 if the usage is known. */
function sessionsOf({ counts }: EvalGroup): number {
  return counts.total - counts.skipped;
}

function tokenBar(group: EvalGroup): Bar {
  const { usage } = group;
  const value = hasTokens(usage) ? tokensOf(usage) / sessionsOf(group) : undefined;
  const { are_tokens_partial } = usage;
  const mean = value === undefined ? {} : { input_tokens: value, are_tokens_partial };
  return { name: groupName(group), value, label: formatTokens(mean) };
}

function costBar(group: EvalGroup): Bar {
  const { cost_usd: cost, is_cost_partial } = group.usage;
  const value = cost === undefined ? undefined : cost / sessionsOf(group);
  return { name: groupName(group), value, label: formatMoney({ cost_usd: value, is_cost_partial }) };
}

function renderChart(title: string, unit: string, bars: readonly Bar[]): Markup {
  const longest = bars.reduce((most, { value = 0 }) => Math.max(most, value), 0);
  return html`<figure class="chart"><figcaption><b>${title}</b> <span>${unit}</span></figcaption>
${bars.map((bar) => renderBar(bar, longest))}</figure>`;
}

function renderBar({ name, value, label, parts }: Bar, longest: number): Markup {
  const width = value === undefined || longest === 0 ? 0 : (value / longest) * WIDTH;
  const pieces = parts ?? [{ className: "plain", share: 1 }];
  let at = 0;
  const rects: Content[] = pieces
    .filter(({ share }) => share > 0)
    .map(({ className, share }) => {
      const x = at;
      at += share * width;
      return html`<rect class="${className}" x="${x.toFixed(3)}" y="0" width="${(share * width).toFixed(3)}" height="10"/>`;
    });
  return html`<div class="bar"><span class="bar-name" dir="auto">${name}</span><svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" role="img" aria-label="${name}: ${label}"><rect class="track" x="0" y="0" width="${WIDTH}" height="10"/>${rects}</svg><span class="bar-label${value === undefined ? " unknown" : ""}">${label}</span></div>
`;
}
