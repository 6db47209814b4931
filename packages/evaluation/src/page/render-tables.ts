import type { EvalGroup, EvalResults } from "../results/eval-results.ts";
import type { TrialOutcome, TrialResult } from "../results/trial-result.ts";
import { groupName } from "./charts.ts";
import { formatInterval, formatMoney, formatShare, formatTime, formatTokens } from "./format.ts";
import { html, type Markup } from "./markup.ts";

/** Symbol and CSS class of each outcome. The symbol makes outcomes distinguishable without colour. */
export const OUTCOMES: Readonly<Record<TrialOutcome, { symbol: string; className: string }>> = {
  PASS: { symbol: "✓", className: "pass" },
  FAIL: { symbol: "✗", className: "fail" },
  ERROR: { symbol: "!", className: "error" },
  SKIPPED: { symbol: "–", className: "skipped" },
};

/** Renders the table that compares engines and variants. */
export function renderComparison({ groups }: EvalResults): Markup {
  const hasVariants = groups.some(({ variant }) => variant !== undefined);
  const isRepeated = groups.some(({ reliability }) => reliability !== undefined);
  const variantHead = hasVariants ? html`<th>Variant</th>` : undefined;
  const repeatedHead = isRepeated
    ? html`<th class="number" title="at least one of k runs passes">pass@k</th><th class="number" title="all of k runs pass">pass^k</th>`
    : undefined;
  return html`<div class="scroll"><table class="comparison">
<thead><tr><th>Engine</th>${variantHead}<th>Model</th><th class="number">Pass rate</th>${repeatedHead}<th class="number">Pass</th><th class="number">Fail</th><th class="number">Error</th><th class="number">Skipped</th><th class="number">Median time</th><th class="number">Tokens</th><th class="number">Cost</th></tr></thead>
<tbody>${groups.map((group) => renderGroup(group, { hasVariants, isRepeated }))}</tbody></table></div>`;
}

/** Optional columns of the comparison. */
interface Columns {
  hasVariants: boolean;
  isRepeated: boolean;
}

function renderGroup(group: EvalGroup, { hasVariants, isRepeated }: Columns): Markup {
  const { engine, variant, models, counts, pass_rate, median_duration_ms, usage } = group;
  const variantCell = hasVariants ? html`<td dir="auto">${variant ?? "–"}</td>` : undefined;
  return html`<tr><th dir="auto">${engine}</th>${variantCell}<td dir="auto">${models.length === 0 ? "unknown" : models.join(", ")}</td>
<td class="number"><b>${formatShare(pass_rate)}</b>${renderInterval(group)}</td>${isRepeated ? renderReliability(group) : undefined}<td class="number">${counts.passed}</td><td class="number">${counts.failed}</td><td class="number">${counts.errors}</td><td class="number">${counts.skipped}</td>
<td class="number">${formatTime(median_duration_ms)}</td><td class="number">${formatTokens(usage)}</td><td class="number">${formatMoney(usage)}</td></tr>
`;
}

/** Renders the 95 % interval of the pass rate, because few runs give an imprecise rate. */
function renderInterval({ pass_rate_interval: interval }: EvalGroup): Markup | undefined {
  if (interval === undefined) return undefined;
  return html` <span class="interval" title="95 % interval">${formatInterval(interval)}</span>`;
}

function renderReliability({ reliability }: EvalGroup): Markup {
  if (reliability === undefined) return html`<td class="number">–</td><td class="number">–</td>`;
  const { k, pass_at_k, pass_hat_k } = reliability;
  return html`<td class="number">${formatShare(pass_at_k)}<span class="interval">k = ${k}</span></td><td class="number">${formatShare(pass_hat_k)}<span class="interval">k = ${k}</span></td>`;
}

/** Renders the matrix of cases by engine and variant. Each outcome in the matrix links to the section of its run. */
export function renderMatrix({ groups, trials }: EvalResults): Markup {
  const indexes = new Map(trials.map((trial, index) => [trial, index]));
  const cases = new Map<string, TrialResult[]>();
  for (const trial of trials) cases.set(trial.case_id, [...(cases.get(trial.case_id) ?? []), trial]);
  const rows = [...cases].map(([id, caseTrials]) => {
    const cells = groups.map((group) => {
      const marks = caseTrials
        .filter(({ engine, variant }) => engine === group.engine && variant === group.variant)
        .map((trial) => renderMark(trial, indexes.get(trial) ?? 0));
      return html`<td class="marks">${marks}</td>`;
    });
    return html`<tr><th dir="auto">${id}</th>${cells}</tr>
`;
  });
  return html`<div class="scroll"><table class="matrix">
<thead><tr><th>Case</th>${groups.map((group) => html`<th dir="auto">${groupName(group)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function renderMark(trial: TrialResult, index: number): Markup {
  const { symbol, className } = OUTCOMES[trial.outcome];
  const label = `#${trial.iteration} ${trial.outcome}${trial.reason === undefined ? "" : `: ${trial.reason}`}`;
  return html`<a class="mark ${className}" href="#run-${index}" title="${label.slice(0, 300)}" aria-label="${label.slice(0, 300)}">${symbol}</a>`;
}
