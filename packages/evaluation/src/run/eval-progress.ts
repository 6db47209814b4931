import type { OutcomeCounts } from "../results/eval-results.ts";
import type { TrialKey, TrialResult } from "../results/trial-result.ts";

/** What happens while an evaluation goes on, in this order for each of its runs. */
export type EvalProgress =
  | {
      readonly type: "eval_started";
      /** Runs in all. */
      readonly total: number;
      /** Runs whose results are there already. */
      readonly kept: number;
    }
  | {
      readonly type: "trial_started";
      /** Which run. */
      readonly trial: TrialKey;
    }
  | {
      readonly type: "trial_retried";
      /** Which run. */
      readonly trial: TrialKey;
      /** Why its session was no result. */
      readonly reason: string;
    }
  | {
      readonly type: "trial_finished";
      /** How it ended. */
      readonly result: TrialResult;
      /** All that ended so far; `total` counts those that are to come as well. */
      readonly counts: OutcomeCounts;
    };
