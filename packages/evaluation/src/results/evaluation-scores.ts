import type { AssertionResult, TrialResult } from "./trial-result.ts";

/** A score of a run, for systems that collect evaluation results. */
export interface EvaluationScore {
  /** Id of the evaluated run. `undefined` if no run was started. */
  runId?: string | undefined;
  /** `outcome` for the whole run, otherwise the kind of the assertion. */
  name: string;
  /** Score of a judge, or 1 for `PASS` and 0 for `FAIL`. `undefined` for `ERROR`. */
  score?: number | undefined;
  /** `PASS`, `FAIL` or `ERROR`. */
  label: string;
  /** Reason of the outcome. */
  explanation?: string | undefined;
  /** Error code of a run or assertion that ended in `ERROR`. */
  errorType?: string | undefined;
  /** The evaluation, case, engine, variant, iteration and judge to which the score belongs. */
  attributes: Record<string, string | number>;
}

/**
 * Returns the scores of a finished trial: one for the outcome, and one for each assertion that was checked. Empty for a
 * trial that was skipped.
 */
export function scoresOf(trial: TrialResult, evaluation: string): EvaluationScore[] {
  const { outcome, reason, run_id: runId, error, assertions } = trial;
  if (outcome === "SKIPPED") return [];
  const own = { ...(runId === undefined ? {} : { runId }), attributes: attributesOf(trial, evaluation) };
  const whole = { ...own, name: "outcome", ...scoreOf(outcome, error?.code), ...explained(reason) };
  return [
    whole,
    ...assertions
      .filter((assertion) => assertion.outcome !== "SKIPPED")
      .map(({ kind, outcome: checked, reason: why, judge, score }) => ({
        ...{ ...own, name: kind, ...scoreOf(checked, undefined), ...explained(why) },
        ...(score === undefined ? {} : { score }),
        ...(judge === undefined ? {} : { attributes: { ...own.attributes, "switchyard.eval.judge": judge } }),
      })),
  ];
}

function attributesOf(trial: TrialResult, evaluation: string): Record<string, string | number> {
  const { case_id, engine, variant, iteration } = trial;
  return {
    "switchyard.eval.name": evaluation,
    "switchyard.eval.case": case_id,
    "switchyard.eval.engine": engine,
    ...(variant === undefined ? {} : { "switchyard.eval.variant": variant }),
    "switchyard.eval.iteration": iteration,
  };
}

function scoreOf(
  outcome: AssertionResult["outcome"],
  code: string | undefined,
): Pick<EvaluationScore, "score" | "label" | "errorType"> {
  if (outcome === "ERROR") return { label: outcome, errorType: code ?? "_OTHER" };
  return { score: outcome === "PASS" ? 1 : 0, label: outcome };
}

function explained(reason: string | undefined): Pick<EvaluationScore, "explanation"> {
  return reason === undefined ? {} : { explanation: reason };
}
