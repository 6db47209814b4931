import type { EvalGroup, EvalResults } from "../results/eval-results.ts";
import type { TrialUsage } from "../results/trial-result.ts";
import { hasTokens, tokensOf } from "../results/usage.ts";
import { groupName, renderRatePlot } from "./charts.ts";
import { formatInterval, formatMoney, formatShare, formatTime, formatTokens } from "./format.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { renderScroll } from "./render-scroll.ts";

/** Renders the table that compares engines and variants. */
export function renderComparison({ groups }: Pick<EvalResults, "groups">): Markup {
  const columns: Columns = {
    hasVariants: groups.some(({ variant }) => variant !== undefined),
    hasModels: groups.some(({ models }) => models.length > 0),
    hasScores: groups.some(({ mean_score }) => mean_score !== undefined),
    isRepeated: groups.some(({ reliability }) => reliability !== undefined),
    hasErrors: groups.some(({ counts }) => counts.errors > 0),
    hasSkipped: groups.some(({ counts }) => counts.skipped > 0),
  };
  const { hasVariants, hasModels, hasScores, isRepeated, hasErrors, hasSkipped } = columns;
  const runs = commonK(groups);
  const heads: Content[] = [
    html`<th scope="col">Engine</th>`,
    when(hasVariants, html`<th scope="col">Variant</th>`),
    when(hasModels, html`<th scope="col">Model</th>`),
    html`<th scope="col" class="number">Pass rate</th><th scope="col">0 – 100 %</th><th scope="col" class="number">95 % interval</th>`,
    when(hasScores, html`<th scope="col" class="number">Mean reward</th>`),
    when(
      isRepeated,
      html`<th scope="col" class="number" title="at least one of ${runs} runs passes">pass@${runs}</th><th scope="col" class="number" title="all of ${runs} runs pass">pass^${runs}</th>`,
    ),
    html`<th scope="col" class="number">Pass</th><th scope="col" class="number">Fail</th>`,
    when(hasErrors, html`<th scope="col" class="number">Error</th>`),
    when(hasSkipped, html`<th scope="col" class="number">Skipped</th>`),
    html`<th scope="col" class="number">Median time</th><th scope="col" class="number">Tokens per run</th><th scope="col" class="number">Cost per run</th>`,
  ];
  return renderScroll(
    "Engines",
    html`<table class="comparison">
<thead><tr>${heads}</tr></thead>
<tbody>${groups.map((group) => renderGroup(group, columns))}</tbody></table>`,
  );
}

/** Returns the number `k` of `pass@k` if it is the same for all groups, otherwise the letter `k`. */
function commonK(groups: Pick<EvalResults, "groups">["groups"]): string {
  const [first, ...others] = new Set(groups.flatMap(({ reliability }) => reliability?.k ?? []));
  return first === undefined || others.length > 0 ? "k" : String(first);
}

/** Optional columns of the comparison. A column without any value is omitted. */
interface Columns {
  readonly hasVariants: boolean;
  readonly hasModels: boolean;
  readonly hasScores: boolean;
  readonly isRepeated: boolean;
  readonly hasErrors: boolean;
  readonly hasSkipped: boolean;
}

function when(condition: boolean, content: Markup): Content {
  return condition ? content : undefined;
}

function renderGroup(group: EvalGroup, columns: Columns): Markup {
  const { engine, variant, models, counts, pass_rate, mean_score, median_duration_ms, usage } = group;
  const { hasVariants, hasModels, hasScores, isRepeated, hasErrors, hasSkipped } = columns;
  const mean = meanUsage(usage, counts.total - counts.skipped);
  return html`<tr><th scope="row" dir="auto">${engine}</th>${when(hasVariants, html`<td dir="auto">${variant ?? "–"}</td>`)}${when(hasModels, html`<td dir="auto">${models.length === 0 ? "unknown" : models.join(", ")}</td>`)}
<td class="number"><b>${formatShare(pass_rate)}</b></td>${renderInterval(group)}${when(hasScores, html`<td class="number">${mean_score?.toFixed(2) ?? "–"}</td>`)}${isRepeated ? renderReliability(group) : undefined}
${renderCount(counts.passed)}${renderCount(counts.failed)}${hasErrors ? renderCount(counts.errors) : undefined}${hasSkipped ? renderCount(counts.skipped) : undefined}
<td class="number">${formatTime(median_duration_ms)}</td><td class="number">${formatTokens(mean)}</td><td class="number">${formatMoney(mean)}</td></tr>
`;
}

/** Returns the mean usage of a run. Unknown values stay unknown. */
function meanUsage(usage: TrialUsage, runs: number): TrialUsage {
  const { cost_usd: cost, is_cost_partial, are_tokens_partial } = usage;
  return {
    ...(hasTokens(usage) ? { input_tokens: tokensOf(usage) / runs, are_tokens_partial } : {}),
    ...(cost === undefined ? {} : { cost_usd: cost / runs, is_cost_partial }),
  };
}

/** Renders a count. 0 is faint, so that the eye finds the others. */
function renderCount(count: number): Markup {
  return html`<td class="number${count === 0 ? " faint" : ""}">${count}</td>`;
}

/** Renders the 95 % interval of the pass rate, because few runs give an imprecise rate. */
function renderInterval({ pass_rate: value, pass_rate_interval: interval }: EvalGroup): Markup {
  if (value === undefined || interval === undefined) return html`<td></td><td class="number">–</td>`;
  return html`<td class="plot-cell">${renderRatePlot({ value, interval, className: "plain" })}</td><td class="number faint">${formatInterval(interval)}</td>`;
}

function renderReliability({ reliability }: EvalGroup): Markup {
  if (reliability === undefined) return html`<td class="number">–</td><td class="number">–</td>`;
  const { k, pass_at_k, pass_hat_k } = reliability;
  return html`<td class="number" title="k = ${k}">${formatShare(pass_at_k)}</td><td class="number" title="k = ${k}">${formatShare(pass_hat_k)}</td>`;
}

/** Returns the names of the engines and variants, for use in a sentence. */
export function listNames(groups: readonly Pick<EvalGroup, "engine" | "variant">[]): string {
  const names = groups.map(groupName);
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
