import { neutraliseControls, renderTable } from "@switchyard/terminal";
import { formatMoney, formatTokens } from "../page/format.ts";
import { describeAgreement, formatAlpha, usageOfJudge } from "../page/render-judges.ts";
import type { EvalResults } from "../results/eval-results.ts";
import type { JudgeSummary } from "../results/judge-statistics.ts";
import type { PositionBias } from "../results/preference-results.ts";
import type { TrialUsage } from "../results/trial-result.ts";

const HEADINGS = ["JUDGE", "ACCEPTED", "REFUSED", "NO VERDICT", "BY POSITION", "TOKENS", "COST"];

/** Returns a table of the judges and how well they agree, followed by an empty line. Empty without judges. */
export function describeJudges(results: Pick<EvalResults, "judges" | "preferences">): string[] {
  const { judges, preferences } = results;
  const bias = preferences?.position_bias ?? [];
  const summaries = judges?.judges ?? [];
  const models = [...new Set([...summaries, ...bias].map(({ model }) => model))];
  if (models.length === 0) return [];
  const of = <T extends { model: string }>(list: readonly T[], model: string) =>
    list.find((one) => one.model === model);
  const rows = models.map((model) =>
    rowOf({ ...of(summaries, model), model, usage: usageOfJudge(results, model) }, of(bias, model)),
  );
  return [
    ...renderTable([HEADINGS, ...rows], { rightFrom: 1, omitEmpty: true }),
    ...describePanel(judges?.agreement),
    "",
  ];
}

function describePanel(agreement: NonNullable<EvalResults["judges"]>["agreement"]): string[] {
  if (agreement === undefined) return [];
  const { assertions, score_alpha } = agreement;
  const scores = score_alpha === undefined ? "" : `, of scores ${formatAlpha(score_alpha)}`;
  return [`Krippendorff's alpha: ${describeAgreement(agreement)}, over ${assertions} assertions${scores}`];
}

type ShownJudge = Partial<JudgeSummary> & Required<Pick<JudgeSummary, "model" | "usage">>;

function rowOf({ model, accepted, refused, errors = 0, usage }: ShownJudge, bias: PositionBias | undefined): string[] {
  const byPosition = bias === undefined || bias.verdicts === 0 ? "" : `${bias.first + bias.second} of ${bias.verdicts}`;
  return [
    neutraliseControls(model),
    ...[accepted, refused].map((count) => (count === undefined ? "" : String(count))),
    errors === 0 ? "" : String(errors),
    byPosition,
    ...(isKnown(usage) ? [formatTokens(usage), formatMoney(usage)] : ["", ""]),
  ];
}

function isKnown(usage: TrialUsage | undefined): usage is TrialUsage {
  return usage !== undefined && Object.keys(usage).length > 0;
}
