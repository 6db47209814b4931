import type { RunStatus, WireError } from "@switchyard/contracts";

/**
 * Outcome of a trial.
 * - `PASS`: the session completed and all assertions hold.
 * - `FAIL`: an assertion does not hold.
 * - `ERROR`: the engine failed or returned no valid result, or an assertion could not be checked.
 * - `SKIPPED`: the trial did not finish, because the budget was exhausted or the evaluation was stopped.
 */
export type TrialOutcome = "PASS" | "FAIL" | "ERROR" | "SKIPPED";

/** Result of one assertion. */
export interface AssertionResult {
  /** Kind of the assertion, as in the suite file. */
  kind: string;
  /** Expected text, path, command, schema or criterion, truncated. */
  expected: string;
  /**
   * Outcome of the assertion. `ERROR` if it could not be checked, `SKIPPED` if the result of an earlier assertion made
   * the check unnecessary.
   */
  outcome: "PASS" | "FAIL" | "ERROR" | "SKIPPED";
  /** Id of the judge that the assertion belongs to. `undefined` if the case has no named judges. */
  judge?: string | undefined;
  /** Reason why the assertion does not hold, or the judge's explanation. */
  reason?: string | undefined;
  /** Last part of the output of the assertion's command, or the verdicts of its judges. */
  output?: string | undefined;
  /** Score from 0 to 1; of a panel, the mean score of its judges. `undefined` if the assertion has no score. */
  score?: number | undefined;
  /** Verdict of each judge. `undefined` if no model decides the assertion. */
  verdicts?: JudgeVerdict[] | undefined;
  /** Skills that were installed for the judges. `undefined` if there were none. */
  judge_skills?: { name: string; source: string }[] | undefined;
}

/** Verdict of one judge on the criteria of an assertion. */
export interface JudgeVerdict {
  /** Model reference of the judge. */
  model: string;
  /** `ERROR`: the judge gave no verdict. */
  outcome: "PASS" | "FAIL" | "ERROR";
  /** Weighted mean of the criteria's scores, from 0 to 1. `undefined` for `ERROR`. */
  score?: number | undefined;
  /** Reason why the judge gave no verdict. */
  reason?: string | undefined;
  /** Score of each criterion, from 0 to 1, and its reason. Empty for `ERROR`. */
  criteria: { criterion: string; score: number; reason: string }[];
  /** Tokens and cost of the judge's calls. `undefined` if none succeeded. */
  usage?: TrialUsage | undefined;
}

/** Tokens and cost. Unknown values are omitted, never 0. */
export interface TrialUsage {
  /** Input tokens. */
  input_tokens?: number | undefined;
  /** Output tokens. */
  output_tokens?: number | undefined;
  /** Whether the token counts are too low because the tokens of some calls are unknown. */
  are_tokens_partial?: boolean | undefined;
  /** Cost in US dollars. */
  cost_usd?: number | undefined;
  /** Whether the cost is too low because the price of some calls is unknown. */
  is_cost_partial?: boolean | undefined;
}

/** One artifact of a session. */
export interface TrialArtifact {
  /** Declared name. */
  name: string;
  /** Path relative to the output folder, with `/` as separator. `undefined` if the artifact was not archived. */
  path?: string | undefined;
  /** Size in bytes. */
  bytes?: number | undefined;
  /** Reason why the artifact was not archived. `undefined` if it was archived. */
  dropped?: string | undefined;
}

/** One user turn of a conversation. */
export interface TrialTurn {
  /** Message of the user. */
  content: string;
  /** Beginning of the engine's response. */
  response: string;
  /**
   * `completed`: the engine responded and the turn's condition holds. `failed`: the condition does not hold. `skipped`:
   * the turn was not sent. `error`: the engine failed, or a value could not be captured.
   */
  status: "completed" | "failed" | "skipped" | "error";
  /** Why the turn was not completed. */
  reason?: string | undefined;
}

/** A session that ended in `ERROR` and was retried. */
export interface EarlierAttempt {
  /** Run id. `undefined` if no session was started. */
  run_id?: string | undefined;
  /** Reason why the attempt failed. */
  reason: string;
  /** Usage of the attempt. */
  usage: TrialUsage;
  /** Usage of the judges. `undefined` if none was called. */
  judge_usage?: TrialUsage | undefined;
  /** Usage of the simulated user. `undefined` if there was none. */
  simulated_user_usage?: TrialUsage | undefined;
}

/** Identifies a trial within an evaluation. */
export interface TrialKey {
  /** Id of the case. */
  case_id: string;
  /** Name of the variant. `undefined` if the suite has no variants. */
  variant?: string | undefined;
  /** Name of the engine in this evaluation. */
  engine: string;
  /** Iteration number, starting at 1. */
  iteration: number;
}

/** Result of one trial: a case, variant, engine and iteration. One line of `results.jsonl`. */
export interface TrialResult extends TrialKey {
  /** Outcome of the trial. */
  outcome: TrialOutcome;
  /** Explanation. `undefined` for `PASS`. */
  reason?: string | undefined;
  /** Error of the session. `undefined` if the session reported none. */
  error?: WireError | undefined;
  /** Results of the assertions. Empty if none was checked. */
  assertions: AssertionResult[];
  /**
   * Main reward of a Harbor task's tests. `undefined` if the case is not a Harbor task, or its tests reported no
   * reward.
   */
  score?: number | undefined;
  /** Rewards of a task's tests, by name. */
  rewards?: Readonly<Record<string, number>> | undefined;
  /** Run id of the last attempt. `undefined` if no session was started. */
  run_id?: string | undefined;
  /** Status of the trial's session. */
  status?: RunStatus | undefined;
  /** Path of the run folder, relative to the output folder, with `/` as separator. */
  run_folder?: string | undefined;
  /** Path of the workspace, relative to the output folder. `undefined` if the workspace was deleted. */
  workspace?: string | undefined;
  /** Model reference. `undefined` if unknown. */
  model?: string | undefined;
  /** Exit code in the engine's result. */
  exit_code?: number | undefined;
  /** Beginning of the engine's final message. */
  final_message?: string | undefined;
  /** Last part of the engine's diagnostic output. */
  stderr?: string | undefined;
  /** Number of model turns. For a conversation, number of user turns that were sent. */
  turns?: number | undefined;
  /** Turns of the conversation. `undefined` if the case has a single turn. */
  conversation?: TrialTurn[] | undefined;
  /** Duration of the session in milliseconds, excluding the time to check assertions. */
  duration_ms?: number | undefined;
  /** Usage of the session. */
  usage: TrialUsage;
  /** Usage of the judges, which `usage` does not include. `undefined` if none was called. */
  judge_usage?: TrialUsage | undefined;
  /** Usage of the simulated user, which `usage` does not include. `undefined` if there was none. */
  simulated_user_usage?: TrialUsage | undefined;
  /** Artifacts of the session. */
  artifacts: TrialArtifact[];
  /** Warnings about problems that did not change the outcome, one sentence each. */
  warnings: string[];
  /** Earlier attempts, oldest first. */
  earlier_attempts: EarlierAttempt[];
}

/** Returns a key that identifies a trial within an evaluation. */
export function keyOf({ case_id, variant, engine, iteration }: TrialKey): string {
  return JSON.stringify([case_id, variant ?? null, engine, iteration]);
}
