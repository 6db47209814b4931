import type { TrialOutcome } from "../results/trial-result.ts";

/** The data of one evaluated run that a comparison uses. */
export interface StoredTrial {
  /** Id of the case. */
  readonly case_id: string;
  /** Name of the engine. */
  readonly engine: string;
  /** Name of the variant. `undefined` if the suite has no variants. */
  readonly variant?: string | undefined;
  /** Outcome of the run. */
  readonly outcome: TrialOutcome;
  /** Duration of the session, in milliseconds. `undefined` if unknown. */
  readonly duration_ms?: number | undefined;
  /** Cost of all attempts of the run, in US dollars. `undefined` if it is not completely known. */
  readonly cost_usd?: number | undefined;
}

/** Results of one evaluation, read from `results.json`. */
export interface StoredResults {
  /** Path of the file. */
  readonly path: string;
  /** Name of the evaluation. */
  readonly name: string;
  /** Start time, ISO 8601. */
  readonly started_at: string;
  /** Runs of the evaluation. */
  readonly trials: readonly StoredTrial[];
}
