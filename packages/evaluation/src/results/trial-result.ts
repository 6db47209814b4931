import type { RunStatus, WireError } from "@switchyard/contracts";

/**
 * How a run of a case ended: `PASS` when it was completed and all assertions hold, `FAIL` when one does not, `ERROR` when
 * the engine gave no valid result, said itself that it failed, or an assertion could not be decided, `SKIPPED` when it
 * was not run to its end: for want of budget, or because the evaluation was stopped.
 */
export type TrialOutcome = "PASS" | "FAIL" | "ERROR" | "SKIPPED";

/** What became of one assertion. */
export interface AssertionResult {
  /** Kind, as in the file. */
  kind: string;
  /** What it asks for, in short. */
  expected: string;
  /** `ERROR` when it could not be decided. */
  outcome: "PASS" | "FAIL" | "ERROR";
  /** Why it does not hold, or the judge's reason. */
  reason?: string | undefined;
  /** What a command printed, its end. */
  output?: string | undefined;
}

/** Tokens and cost; what is not known is absent, never 0. */
export interface TrialUsage {
  /** Tokens that went in. */
  input_tokens?: number | undefined;
  /** Tokens that came out. */
  output_tokens?: number | undefined;
  /** Whether calls whose tokens nobody knows are left out of the sums. */
  are_tokens_partial?: boolean | undefined;
  /** Cost in US dollars. */
  cost_usd?: number | undefined;
  /** Whether calls of an unknown price are left out of the cost. */
  is_cost_partial?: boolean | undefined;
}

/** One artifact of a run. */
export interface TrialArtifact {
  /** Declared name. */
  name: string;
  /** Path below the output folder, with `/`; absent when it was not archived. */
  path?: string | undefined;
  /** Size. */
  bytes?: number | undefined;
  /** Why it was not archived. */
  dropped?: string | undefined;
}

/** A session that ended in ERROR and was made again. */
export interface EarlierAttempt {
  /** Id of its run, where one was begun. */
  run_id?: string | undefined;
  /** Why it was no result. */
  reason: string;
  /** What it used. */
  usage: TrialUsage;
}

/** What says which run of an evaluation is meant. */
export interface TrialKey {
  /** Id of the case. */
  case_id: string;
  /** Name of the variant; absent where there are none. */
  variant?: string | undefined;
  /** Name of the engine in this evaluation. */
  engine: string;
  /** 1-based number. */
  iteration: number;
}

/** One case × variant × engine × iteration and how it ended: a line of `results.jsonl`. */
export interface TrialResult extends TrialKey {
  /** How it ended. */
  outcome: TrialOutcome;
  /** Why, where it is no PASS. */
  reason?: string | undefined;
  /** Why the session failed. */
  error?: WireError | undefined;
  /** What was asserted; empty when it did not come to that. */
  assertions: AssertionResult[];
  /** Id of the run, the last one of several attempts; absent when none was begun. */
  run_id?: string | undefined;
  /** How that session ended. */
  status?: RunStatus | undefined;
  /** Its folder below the output folder, with `/`. */
  run_folder?: string | undefined;
  /** Its workspace below the output folder, where that was kept. */
  workspace?: string | undefined;
  /** Model reference. */
  model?: string | undefined;
  /** Exit code of the engine's result. */
  exit_code?: number | undefined;
  /** The engine's last words, their beginning. */
  final_message?: string | undefined;
  /** The engine's diagnostics, their end. */
  stderr?: string | undefined;
  /** Turns of the model. */
  turns?: number | undefined;
  /** Time of the session, without assertions. */
  duration_ms?: number | undefined;
  /** What the session used. */
  usage: TrialUsage;
  /** What the judge used. */
  judge_usage?: TrialUsage | undefined;
  /** What it declared. */
  artifacts: TrialArtifact[];
  /** What was not as it should be. */
  warnings: string[];
  /** Attempts before this one. */
  earlier_attempts: EarlierAttempt[];
}

/** A text that tells two runs of an evaluation apart. */
export function keyOf({ case_id, variant, engine, iteration }: TrialKey): string {
  return JSON.stringify([case_id, variant ?? null, engine, iteration]);
}
