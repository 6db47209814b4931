import { messageOf } from "@switchyard/contracts";
import { type AskModel, reportingUsage } from "../model/ask-model.ts";
import type { JudgeVerdict, TrialUsage } from "../results/trial-result.ts";
import { sumUsage } from "../results/usage.ts";
import type { ModelChoice, RubricAssertion } from "../suite/eval-suite.ts";
import { decidePanel, meanOf } from "./decide-panel.ts";
import { type CriterionScore, type JudgedWork, judgeCriteria } from "./judge-criteria.ts";

const MS_PER_SECOND = 1_000;
const EPSILON = 1e-9;

/** Access to the judges of a trial. */
export interface Judges {
  /** Returns a function that asks a judge of a rubric. */
  readonly askJudge: (choice: ModelChoice, rubric: RubricAssertion) => AskModel;
  /** Called with the usage of each call. */
  readonly onJudged: (usage: TrialUsage) => void;
  /** Aborts the calls. */
  readonly signal: AbortSignal;
}

/** Decision of a panel on a rubric. */
export interface RubricDecision {
  readonly outcome: "PASS" | "FAIL" | "ERROR";
  readonly reason: string;
  /** Mean score of the judges, from 0 to 1. `undefined` if no judge gave a verdict. */
  readonly score?: number | undefined;
  /** Verdict of each judge, in the order of the panel. */
  readonly verdicts: JudgeVerdict[];
}

/** Asks all judges of a rubric's panel, at the same time, and decides by their verdicts. Never rejects. */
export async function judgeRubric(rubric: RubricAssertion, work: JudgedWork, judges: Judges): Promise<RubricDecision> {
  const { panel, threshold } = rubric;
  const verdicts = await Promise.all(panel.models.map((choice) => askOne(rubric, choice, { work, judges })));
  const scores = verdicts.map(({ score }) => score);
  const known = scores.filter((score) => score !== undefined);
  const decision = decidePanel(scores, { threshold, decision: panel.decision, tie: panel.tie });
  return {
    outcome: decision === "pass" ? "PASS" : decision === "fail" ? "FAIL" : "ERROR",
    reason: reasonOf(rubric, verdicts),
    ...(known.length === 0 ? {} : { score: meanOf(known) }),
    verdicts,
  };
}

interface Question {
  readonly work: JudgedWork;
  readonly judges: Judges;
}

async function askOne(rubric: RubricAssertion, choice: ModelChoice, { work, judges }: Question): Promise<JudgeVerdict> {
  const { criteria, threshold, timeoutSeconds } = rubric;
  const limit = timeoutSeconds === undefined ? [] : [AbortSignal.timeout(timeoutSeconds * MS_PER_SECOND)];
  const signal = AbortSignal.any([judges.signal, ...limit]);
  const used: TrialUsage[] = [];
  try {
    const ask = reportingUsage(judges.askJudge(choice, rubric), (usage) => {
      used.push(usage);
      judges.onJudged(usage);
    });
    const scores = await judgeCriteria(ask, work, signal);
    const weights = criteria.reduce((sum, { weight }) => sum + weight, 0);
    const score = scores.reduce((sum, one, index) => sum + one.score * (criteria[index]?.weight ?? 0), 0) / weights;
    const outcome = score + EPSILON >= threshold ? ("PASS" as const) : ("FAIL" as const);
    return { model: choice.model, outcome, score, criteria: scores, usage: sumUsage(used) };
  } catch (error) {
    return {
      model: choice.model,
      outcome: "ERROR",
      reason: messageOf(error),
      criteria: [],
      ...(used.length === 0 ? {} : { usage: sumUsage(used) }),
    };
  }
}

function reasonOf(rubric: RubricAssertion, verdicts: readonly JudgeVerdict[]): string {
  const [first] = verdicts;
  const parts = verdicts.length === 1 && first !== undefined ? ofJudge(rubric, first) : ofPanel(rubric, verdicts);
  return parts.filter((part) => part !== "").join(" ");
}

function ofJudge({ criteria, threshold }: RubricAssertion, { outcome, score, criteria: scores, reason }: JudgeVerdict) {
  const [only] = scores;
  if (outcome === "ERROR") return [`It could not be checked: ${reason ?? ""}`];
  if (scores.length === 1 && only !== undefined) return [only.reason];
  const isCounted = criteria.every(({ weight, points }) => weight === 1 && points === 1);
  const met = scores.filter((one) => one.score === 1).length;
  const found = isCounted
    ? `${met} of ${criteria.length} criteria are met`
    : `The score is ${round(score)}, and ${round(threshold)} is required`;
  if (outcome === "PASS") return [`${found}.`];
  return [isCounted ? `${found}, fewer than the share ${threshold}.` : `${found}.`, weakestOf(scores)];
}

function ofPanel({ panel, threshold }: RubricAssertion, verdicts: readonly JudgeVerdict[]): string[] {
  const missing = verdicts.filter(({ outcome }) => outcome === "ERROR");
  const refusing = verdicts.find(({ outcome }) => outcome === "FAIL");
  const accepting = verdicts.filter(({ outcome }) => outcome === "PASS").length;
  const scores = verdicts.flatMap(({ score }) => score ?? []);
  return [
    `${accepting} of ${verdicts.length} judges accept it.`,
    panel.decision === "mean" && scores.length > 0
      ? `The mean score is ${round(meanOf(scores))}, and ${round(threshold)} is required.`
      : "",
    ...missing.map(({ model, reason }) => `${model} gave no verdict: ${reason ?? ""}`),
    refusing === undefined ? "" : `${refusing.model}: ${weakestOf(refusing.criteria)}`,
  ];
}

/** Returns the criterion with the lowest score, and the judge's reason for this score. */
function weakestOf(scores: readonly CriterionScore[]): string {
  const lowest = Math.min(...scores.map(({ score }) => score));
  const weakest = scores.find(({ score }) => score === lowest);
  return weakest === undefined ? "" : `${weakest.criterion}: ${weakest.reason}`;
}

function round(score: number | undefined): string {
  return score === undefined ? "unknown" : String(Math.round(score * 100) / 100);
}
