import type { EvalResults } from "../results/eval-results.ts";
import type { JudgeAgreement, JudgeStatistics, JudgeSummary } from "../results/judge-statistics.ts";
import type { TrialUsage } from "../results/trial-result.ts";
import { sumUsage } from "../results/usage.ts";
import { formatCount, formatMoney, formatTokens } from "./format.ts";
import { html, type Markup } from "./markup.ts";
import { renderScroll } from "./render-scroll.ts";

/**
 * Minimum values of Krippendorff's alpha, a measure of agreement: for reliable agreement, and for tentative
 * conclusions.
 */
const [RELIABLE, TENTATIVE] = [0.8, 0.667];

/**
 * Says how well judges agree, by Krippendorff's alpha: 1 is perfect agreement, 0 agreement by chance.
 *
 * Source of the limits: Krippendorff 2004, "Reliability in Content Analysis", section 4.
 */
export function describeAgreement({ verdict_alpha: alpha }: JudgeAgreement): string {
  if (alpha === undefined) return "all verdicts are equal";
  const value = alpha.toFixed(2).replace("-", "−");
  if (alpha >= RELIABLE) return `the judges agree (α = ${value})`;
  return alpha >= TENTATIVE ? `the judges agree in part (α = ${value})` : `the judges do not agree (α = ${value})`;
}

/** Formats a value of Krippendorff's alpha, with two decimals. */
export function formatAlpha(alpha: number | undefined): string {
  return alpha === undefined ? "–" : alpha.toFixed(2).replace("-", "−");
}

/** Returns the tokens and cost of a judge, for assertions and for comparisons of engines. */
export function usageOfJudge(
  { judges, preferences }: Pick<EvalResults, "judges" | "preferences">,
  model: string,
): TrialUsage {
  const decided = judges?.judges.flatMap((one) => (one.model === model ? (one.usage ?? []) : [])) ?? [];
  const verdicts = preferences?.comparisons.flatMap((one) => one.verdicts) ?? [];
  return sumUsage([...decided, ...verdicts.flatMap((one) => (one.model === model ? (one.usage ?? []) : []))]);
}

/** Renders the verdicts of each judge, and how well judges of panels agree. */
export function renderJudges(
  { judges, agreement }: JudgeStatistics,
  results: Pick<EvalResults, "judges" | "preferences">,
): Markup {
  const hasErrors = judges.some(({ errors }) => errors > 0);
  const rows = judges.map((judge) => renderJudge({ ...judge, usage: usageOfJudge(results, judge.model) }, hasErrors));
  const errors = hasErrors ? html`<th scope="col" class="number">No verdict</th>` : undefined;
  const table = html`<table class="judges">
<thead><tr><th scope="col">Judge</th><th scope="col" class="number">Accepted</th><th scope="col" class="number">Refused</th>${errors}<th scope="col" class="number">Mean score</th><th scope="col" class="number">Tokens</th><th scope="col" class="number">Cost</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  const finding =
    agreement === undefined ? undefined : html` <span class="finding">${describeAgreement(agreement)}</span>`;
  return html`<section id="judges"><h2>Judges${finding}</h2>
${renderScroll("Judges", table)}
${agreement === undefined ? undefined : renderAgreement(agreement)}</section>
`;
}

function renderJudge(
  { model, accepted, refused, errors, mean_score: score, usage = {} }: JudgeSummary,
  hasErrors: boolean,
) {
  const open = hasErrors ? html`<td class="number${errors === 0 ? " faint" : ""}">${errors}</td>` : undefined;
  return html`<tr><th scope="row" dir="auto">${model}</th><td class="number">${accepted}</td><td class="number">${refused}</td>${open}<td class="number">${score?.toFixed(2) ?? "–"}</td><td class="number">${formatTokens(usage)}</td><td class="number">${formatMoney(usage)}</td></tr>
`;
}

function renderAgreement({ assertions, verdict_alpha, score_alpha }: JudgeAgreement): Markup {
  return html`<p class="legend">Krippendorff’s α of the verdicts is <b>${formatAlpha(verdict_alpha)}</b>, of the scores of single criteria <b>${formatAlpha(score_alpha)}</b>, over ${formatCount(assertions)} ${assertions === 1 ? "assertion" : "assertions"} that at least two judges decided. 1 is perfect agreement, 0 is agreement by chance. From ${RELIABLE} on, verdicts are reliable; below ${TENTATIVE}, reword the criteria.</p>
`;
}
