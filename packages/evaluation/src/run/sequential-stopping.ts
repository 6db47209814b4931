import { EngineError } from "@switchyard/contracts";
import type { SequentialResult } from "../results/eval-results.ts";
import { keyOf, type TrialResult } from "../results/trial-result.ts";
import { createRandom, lookTimes, type SequentialState, sequentialTest } from "../statistics/index.ts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import { type Trial, toTrialKey } from "../trial/trial.ts";

/** Options for stopping a comparison of two engines early. */
export interface SequentialOptions {
  /** Number of interim analyses, at which the evaluation may stop early. Default: 4. */
  readonly looks?: number | undefined;
  /** Significance level of the whole comparison. Default: 0.05. */
  readonly alpha?: number | undefined;
}

/** Seed of the order of the cases. */
const ORDER_SEED = 1;

/** Decides after each trial whether a comparison can stop. */
export interface SequentialStopping {
  /** All trials, case by case, in random order of the cases. */
  readonly trials: readonly Trial[];
  /** Returns the state of the comparison, given the results so far by trial key. */
  stateOf(results: ReadonlyMap<string, TrialResult>): SequentialState;
}

/**
 * Plans a comparison that stops when its outcome is known: puts the cases in random order, so that the first of them
 * are a sample of all. Throws `config.invalid` unless the trials belong to exactly two engines or variants.
 */
export function planSequentialStopping(trials: readonly Trial[], options: SequentialOptions): SequentialStopping {
  const groups = new Set(trials.map(groupOf));
  const [left] = groups;
  if (left === undefined || groups.size !== 2) {
    const problem = `it compares two engines or variants, and the evaluation has ${groups.size}.`;
    throw new EngineError("config.invalid", { field: "sequential", problem });
  }
  const cases = shuffle([...new Set(trials.map((trial) => trial.case.id))]);
  const byCase = cases.map((id) => trials.filter((trial) => trial.case.id === id));
  const plan = { ...options, cases: cases.length };
  return {
    trials: byCase.flat(),
    stateOf: (results) => {
      const differences: number[] = [];
      for (const own of byCase) {
        const difference = differenceOf(own, left, results);
        if (difference === undefined) break;
        differences.push(difference);
      }
      return differences.length === 0
        ? { decision: "continue", cases: lookTimes(plan)[0] ?? cases.length }
        : sequentialTest(differences, plan);
    },
  };
}

/**
 * Returns the pass rate of one group minus that of the other in a case. `undefined` unless all trials of the case ran.
 */
function differenceOf(
  trials: readonly Trial[],
  left: string,
  results: ReadonlyMap<string, TrialResult>,
): number | undefined {
  // Both engines have the same number of runs in each case.
  const share = 2 / trials.length;
  let difference = 0;
  for (const trial of trials) {
    const outcome = results.get(keyOf(toTrialKey(trial)))?.outcome;
    if (outcome === undefined || outcome === "SKIPPED") return undefined;
    if (outcome === "PASS") difference += groupOf(trial) === left ? share : -share;
  }
  return difference;
}

/** Returns the outcome of the comparison for the results. */
export function sequentialResultOf(
  { stateOf }: SequentialStopping,
  { cases }: Pick<EvalSuite, "cases">,
  trials: readonly TrialResult[],
): SequentialResult {
  const state = stateOf(new Map(trials.map((trial) => [keyOf(trial), trial])));
  return { decision: state.decision, cases: state.cases, planned_cases: cases.length };
}

function groupOf(trial: Trial): string {
  return keyOf({ ...toTrialKey(trial), case_id: "", iteration: 0 });
}

/**
 * Returns the values in a random but reproducible order: lists of equal length are shuffled in the same way. Source:
 * Fisher and Yates 1938.
 */
function shuffle(values: readonly string[]): string[] {
  const random = createRandom(ORDER_SEED);
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [one, two] = [shuffled[last], shuffled[other]];
    if (one === undefined || two === undefined) continue;
    [shuffled[last], shuffled[other]] = [two, one];
  }
  return shuffled;
}
