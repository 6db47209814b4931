import type { PreferenceResults, PreferenceSummary } from "../results/preference-results.ts";
import { holmCorrection } from "../statistics/index.ts";
import { formatPValue } from "./format.ts";
import { html, type Markup } from "./markup.ts";
import { renderScroll } from "./render-scroll.ts";

/** Significance level of all comparisons together. */
const ALPHA = 0.05;
/** Size of a bar with the shares of wins and ties, in pixels. */
const BAR = { width: 160, height: 10 } as const;

/** Result of the judges' comparison of two engines, with its statistical evaluation. */
export interface PreferenceFinding {
  readonly summary: PreferenceSummary;
  /** The p-value with Holm's correction for all pairs. */
  readonly pValue: number;
  /** Name of the preferred engine. `undefined` if the judges show no preference beyond chance. */
  readonly preferred?: string | undefined;
  /** Short verdict, for a table. */
  readonly verdict: string;
}

/** Decides for each pair of engines which one the judges prefer, with Holm's correction for all pairs. */
export function preferenceFindings({ summaries }: PreferenceResults): PreferenceFinding[] {
  const adjusted = holmCorrection(summaries.map(({ p_value }) => p_value));
  return summaries.map((summary, index) => {
    const { left, right, left_wins: wins, right_wins: losses, ties } = summary;
    const pValue = adjusted[index] ?? 1;
    if (wins + losses + ties === 0) return { summary, pValue, verdict: "nothing decided" };
    if (pValue > ALPHA) return { summary, pValue, verdict: "no preference shown" };
    const preferred = wins > losses ? left : right;
    return { summary, pValue, preferred, verdict: `${preferred} is preferred` };
  });
}

/**
 * Renders the preferences of the judges for each pair of engines. Also renders how often each judge preferred a result
 * only because of its position.
 */
export function renderPreferences(preferences: PreferenceResults): Markup {
  const findings = preferenceFindings(preferences);
  const hasVariants = findings.some(({ summary }) => summary.variant !== undefined);
  const hasUndecided = findings.some(({ summary }) => summary.undecided > 0);
  const rows = findings.map((finding) => renderPair(finding, { hasVariants, hasUndecided }));
  const variant = hasVariants ? html`<th scope="col">Variant</th>` : undefined;
  const undecided = hasUndecided ? html`<th scope="col" class="number">Undecided</th>` : undefined;
  const table = html`<table class="pairs preferences">
<thead><tr><th scope="col">First</th><th scope="col">Second</th>${variant}<th scope="col" class="number">Wins</th><th scope="col" class="number">Ties</th><th scope="col" class="number">Losses</th><th scope="col">Shares</th>${undecided}<th scope="col" class="number">p-value</th><th scope="col">Verdict</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  return html`<section id="preferences"><h2>Which results do judges prefer? <span class="finding">${titleOf(findings)}</span></h2>
<p class="facts">Criterion: <q dir="auto">${preferences.criterion}</q></p>
${renderScroll("Preferences of the judges", table)}
<p class="legend">Wins and losses are those of the first engine. Each judge compared the results of both engines in both orders, without knowing the engines. A judge that did not prefer the same result in both orders counts as a tie. The p-values are those of a permutation test by case, with Holm’s correction for all pairs; below ${ALPHA}, the preference is unlikely to be chance.</p>
${renderBias(preferences)}</section>
`;
}

function titleOf(findings: readonly PreferenceFinding[]): string {
  const [only] = findings;
  if (findings.length === 1 && only !== undefined) return only.verdict;
  const shown = findings.filter(({ preferred }) => preferred !== undefined).length;
  return `a preference in ${shown} of ${findings.length} pairs`;
}

interface PairColumns {
  readonly hasVariants: boolean;
  readonly hasUndecided: boolean;
}

function renderPair({ summary, pValue, verdict }: PreferenceFinding, columns: PairColumns): Markup {
  const { left, right, variant, left_wins: wins, right_wins: losses, ties, undecided } = summary;
  const ofVariant = columns.hasVariants ? html`<td dir="auto">${variant ?? "–"}</td>` : undefined;
  const open = columns.hasUndecided ? html`<td class="number">${undecided}</td>` : undefined;
  return html`<tr><th scope="row" dir="auto">${left}</th><td dir="auto">${right}</td>${ofVariant}<td class="number"><b>${wins}</b></td><td class="number faint">${ties}</td><td class="number"><b>${losses}</b></td><td class="plot-cell">${renderShares([wins, ties, losses])}</td>${open}<td class="number">${formatPValue(pValue)}</td><td dir="auto">${verdict}</td></tr>
`;
}

const SHARES = ["wins", "ties", "losses"] as const;

/** Renders counts as one bar of three parts. */
function renderShares(counts: readonly number[]): Markup {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const { width, height } = BAR;
  const label = SHARES.map((name, index) => `${name} ${counts[index] ?? 0}`).join(", ");
  let x = 0;
  const parts = SHARES.map((name, index) => {
    const share = all === 0 ? 0 : ((counts[index] ?? 0) / all) * width;
    const part = html`<rect class="${name}" x="${x.toFixed(1)}" y="0" width="${share.toFixed(1)}" height="${height}"/>`;
    x += share;
    return part;
  });
  return html`<svg class="shares" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${parts}</svg>`;
}

function renderBias({ position_bias }: PreferenceResults): Markup | undefined {
  const biased = position_bias.filter(({ verdicts }) => verdicts > 0);
  if (biased.length === 0) return undefined;
  const rows = biased.map(
    ({ model, verdicts, first, second }) =>
      html`<tr><th scope="row" dir="auto">${model}</th><td class="number">${verdicts}</td><td class="number${first === 0 ? " faint" : ""}">${first}</td><td class="number${second === 0 ? " faint" : ""}">${second}</td></tr>
`,
  );
  return html`<h3>Decided by position</h3>
${renderScroll(
  "Position bias of the judges",
  html`<table class="bias">
<thead><tr><th scope="col">Judge</th><th scope="col" class="number">Comparisons</th><th scope="col" class="number">Always the first</th><th scope="col" class="number">Always the second</th></tr></thead>
<tbody>${rows}</tbody></table>`,
)}`;
}
