import type { OutcomeCounts } from "../results/eval-results.ts";
import type { TrialKey, TrialResult } from "../results/trial-result.ts";

/** Progress event of an evaluation. Each trial emits its events in the order listed here. */
export type EvalProgress =
  | {
      readonly type: "eval_started";
      /** Number of planned trials. */
      readonly total: number;
      /** Number of trials whose results are reused from an earlier process. */
      readonly reused: number;
    }
  | {
      readonly type: "trial_started";
      /** The trial. */
      readonly trial: TrialKey;
    }
  | {
      readonly type: "trial_retried";
      /** The trial. */
      readonly trial: TrialKey;
      /** Reason why the last attempt failed. */
      readonly reason: string;
    }
  | {
      readonly type: "trial_finished";
      /** Result of the trial. */
      readonly result: TrialResult;
      /** Trials finished so far by outcome; `total` counts all planned trials. */
      readonly counts: OutcomeCounts;
    };
