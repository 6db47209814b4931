import { keyOfModel } from "../model/open-eval-model.ts";
import {
  type Preference,
  type PreferenceResults,
  preferredBy,
  summarisePreferences,
} from "../results/preference-results.ts";
import { readRunReport } from "../results/read-run-report.ts";
import type { ComparedRuns, LoggedOrder, ResultsLog } from "../results/results-log.ts";
import type { TrialResult } from "../results/trial-result.ts";
import type { EvalCase, EvalSuite } from "../suite/eval-suite.ts";
import type { AttemptContext } from "../trial/attempt-context.ts";
import { type ComparedWork, type DecidedOrder, judgePair } from "./judge-pair.ts";

/** Maximum length of each text that judges see, in characters. */
const MAX_TEXT = 60_000;

/** Two finished trials of the same case, variant and iteration. */
interface Pair {
  readonly case: EvalCase;
  readonly left: TrialResult;
  readonly right: TrialResult;
}

/** Comparisons that earlier processes stored, and the log that stores new ones. */
export interface StoredOrders {
  readonly orders: readonly LoggedOrder[];
  readonly log: Pick<ResultsLog, "append">;
}

/**
 * Compares the results of each pair of engines, case by case. Stored comparisons of the same runs are reused. Trials
 * that ended in `ERROR` or `SKIPPED` are not compared. Stops when the evaluation is stopped or its budget is exhausted.
 * Resolves with `undefined` if the suite compares nothing. Rejects with `run.store_failed`.
 */
export async function judgePreferences(
  { cases, preference }: Pick<EvalSuite, "cases" | "preference">,
  trials: readonly TrialResult[],
  context: AttemptContext & StoredOrders,
): Promise<PreferenceResults | undefined> {
  if (preference === undefined) return undefined;
  const comparisons: Preference[] = [];
  for (const pair of pairsOf(cases, trials)) {
    if (context.interrupt.aborted || context.signal.aborted || context.budget.exhausted() !== undefined) break;
    comparisons.push(await compare(pair, preference, context));
  }
  return summarisePreferences(preference.criterion, comparisons);
}

function pairsOf(cases: EvalSuite["cases"], trials: readonly TrialResult[]): Pair[] {
  const decided = trials.filter(({ outcome }) => outcome === "PASS" || outcome === "FAIL");
  return decided.flatMap((left, index) =>
    decided.slice(index + 1).flatMap((right) => {
      const one = cases.find(({ id }) => id === left.case_id);
      const isPair =
        left.case_id === right.case_id && left.variant === right.variant && left.iteration === right.iteration;
      return isPair && one !== undefined ? [{ case: one, left, right }] : [];
    }),
  );
}

async function compare(
  { case: one, left, right }: Pair,
  { criterion, panel }: NonNullable<EvalSuite["preference"]>,
  context: AttemptContext & StoredOrders,
): Promise<Preference> {
  const signal = AbortSignal.any([context.interrupt, context.signal]);
  const [leftWork, rightWork] = await Promise.all([workOf(left, context.output), workOf(right, context.output)]);
  const pair = { criterion, task: taskOf(one), left: leftWork, right: rightWork };
  const writes: Promise<void>[] = [];
  const verdicts = await Promise.all(
    panel.models.flatMap((choice) => {
      const ask = context.judges.get(keyOfModel(choice));
      if (ask === undefined) return [];
      const compared = {
        ...{ criterion, judge: keyOfModel(choice) },
        ...{ left_run: left.run_id ?? "", right_run: right.run_id ?? "" },
      };
      const stored = context.orders.filter((order) => keyOfRuns(order.compared) === keyOfRuns(compared));
      for (const { usage } of stored) context.budget.spend(usage);
      const onDecided = (order: DecidedOrder): void => void writes.push(context.log.append({ compared, ...order }));
      const judge = { model: choice.model, ask, onJudged: context.budget.spend, stored, onDecided, signal };
      return [judgePair(pair, judge)];
    }),
  );
  await Promise.all(writes);
  const preferred = preferredBy(verdicts);
  return {
    case_id: left.case_id,
    ...(left.variant === undefined ? {} : { variant: left.variant }),
    iteration: left.iteration,
    left: left.engine,
    right: right.engine,
    ...(preferred === undefined ? {} : { preferred }),
    verdicts,
  };
}

function keyOfRuns({ criterion, judge, left_run, right_run }: ComparedRuns): string {
  return JSON.stringify([criterion, judge, left_run, right_run]);
}

function taskOf({ messages, turns }: EvalCase): string {
  const said = turns?.map(({ content = "", respond = "" }) => content || respond) ?? [];
  return said.length > 0 ? said.join("\n\n") : (messages.findLast(({ role }) => role === "user")?.content ?? "");
}

/**
 * Returns the final message and the changes of a run, as judges see them. They come from the session report, in which
 * secrets are masked.
 */
async function workOf(trial: TrialResult, output: string): Promise<ComparedWork> {
  const report = await readRunReport(trial, output);
  const diff = report?.workspaceDiff ?? report?.result?.artifacts?.workspace_diff;
  return {
    final_message: shorten(report?.result?.final_message ?? trial.final_message ?? ""),
    ...(diff === undefined ? {} : { workspace_diff: shorten(diff) }),
  };
}

function shorten(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const half = MAX_TEXT / 2;
  return `${text.slice(0, half)}\n[… ${text.length - MAX_TEXT} characters left out …]\n${text.slice(-half)}`;
}
