import { krippendorffAlpha } from "../statistics/index.ts";
import type { JudgeVerdict, TrialResult, TrialUsage } from "./trial-result.ts";
import { sumUsage } from "./usage.ts";

/** Verdicts of one judge in an evaluation. */
export interface JudgeSummary {
  /** Model reference of the judge. */
  model: string;
  /** Number of assertions that the judge accepted. */
  accepted: number;
  /** Number of assertions that the judge refused. */
  refused: number;
  /** Number of assertions on which the judge gave no verdict. */
  errors: number;
  /** Mean of the judge's scores, from 0 to 1. `undefined` if the judge gave no verdict. */
  mean_score?: number | undefined;
  /** Tokens and cost of the judge. `undefined` if no call succeeded. */
  usage?: TrialUsage | undefined;
}

/** How often the judges of a panel agree. A panel is several judges of the same assertion. */
export interface JudgeAgreement {
  /** Number of assertions with verdicts of at least two judges. */
  assertions: number;
  /**
   * Krippendorff's alpha of the verdicts, with verdicts as nominal data: 1 is perfect agreement, 0 agreement by chance.
   * `undefined` if all verdicts are equal.
   */
  verdict_alpha?: number | undefined;
  /**
   * Krippendorff's alpha of the scores for each criterion, with scores as interval data. `undefined` if all scores are
   * equal, or if no criterion has the scores of two judges.
   */
  score_alpha?: number | undefined;
}

/** Judges of an evaluation. */
export interface JudgeStatistics {
  /** Verdicts by judge. */
  judges: JudgeSummary[];
  /** Agreement of the judges. `undefined` if no assertion has verdicts of two judges. */
  agreement?: JudgeAgreement | undefined;
}

/** Summarises the verdicts of all judges. `undefined` if there are none. */
export function judgeStatisticsOf(trials: readonly TrialResult[]): JudgeStatistics | undefined {
  const decided = trials.flatMap(({ assertions }) =>
    assertions.flatMap(({ verdicts }) => (verdicts ? [verdicts] : [])),
  );
  const models = new Set(decided.flat().map(({ model }) => model));
  if (models.size === 0) return undefined;
  const judges = [...models].map((model) =>
    summaryOf(
      model,
      decided.flat().filter((verdict) => verdict.model === model),
    ),
  );
  const agreement = agreementOf(decided);
  return { judges, ...(agreement === undefined ? {} : { agreement }) };
}

function summaryOf(model: string, verdicts: readonly JudgeVerdict[]): JudgeSummary {
  const count = (outcome: JudgeVerdict["outcome"]): number => verdicts.filter((one) => one.outcome === outcome).length;
  const scores = verdicts.flatMap(({ score }) => score ?? []);
  const usages = verdicts.flatMap(({ usage }) => usage ?? []);
  return {
    model,
    accepted: count("PASS"),
    refused: count("FAIL"),
    errors: count("ERROR"),
    ...(scores.length === 0 ? {} : { mean_score: scores.reduce((sum, score) => sum + score, 0) / scores.length }),
    ...(usages.length === 0 ? {} : { usage: sumUsage(usages) }),
  };
}

function agreementOf(decided: readonly (readonly JudgeVerdict[])[]): JudgeAgreement | undefined {
  const given = decided
    .map((verdicts) => verdicts.filter(({ outcome }) => outcome !== "ERROR"))
    .filter((verdicts) => verdicts.length >= 2);
  if (given.length === 0) return undefined;
  const verdicts = given.map((panel) => panel.map(({ outcome }) => (outcome === "PASS" ? 1 : 0)));
  const scores = given.flatMap(scoresByCriterion);
  const [verdictAlpha, scoreAlpha] = [krippendorffAlpha(verdicts, "nominal"), krippendorffAlpha(scores, "interval")];
  return {
    assertions: given.length,
    ...(verdictAlpha === undefined ? {} : { verdict_alpha: verdictAlpha }),
    ...(scoreAlpha === undefined ? {} : { score_alpha: scoreAlpha }),
  };
}

function scoresByCriterion(panel: readonly JudgeVerdict[]): (number | undefined)[][] {
  const criteria = panel[0]?.criteria ?? [];
  return criteria.map((_, index) => panel.map((verdict) => verdict.criteria[index]?.score));
}
