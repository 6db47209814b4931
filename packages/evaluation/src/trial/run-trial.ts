import { relative, sep } from "node:path";
import type { EarlierAttempt, TrialArtifact, TrialResult } from "../results/trial-result.ts";
import type { RetryReason } from "../suite/eval-suite.ts";
import { type Attempt, COLLECTED, WORKSPACES } from "./attempt.ts";
import type { AttemptContext } from "./attempt-context.ts";
import { runAttempt } from "./run-attempt.ts";
import { type Trial, toTrialKey } from "./trial.ts";

/** Maximum length of texts in the results, in characters. The session report has the full text. */
const MAX_TEXT = 4_000;

/** Options for `runTrial`. */
export interface RunTrialOptions extends AttemptContext {
  /** Maximum number of retries after `ERROR`. */
  readonly retries: number;
  /** Failures after which the trial is retried. Default: all. */
  readonly retryOn?: readonly RetryReason[] | undefined;
  /** Called with each failed attempt before the trial is retried. */
  readonly onRetry: (attempt: Attempt) => void;
}

/** Runs one trial. Retries after `ERROR`, never after `FAIL`. Never rejects. */
export async function runTrial(trial: Trial, options: RunTrialOptions): Promise<TrialResult> {
  const earlier: EarlierAttempt[] = [];
  for (;;) {
    const attempt = await runAttempt(trial, options);
    const isOver = options.interrupt.aborted || options.signal.aborted || options.budget.exhausted() !== undefined;
    const isRetried = attempt.outcome === "ERROR" && (options.retryOn?.includes(failureOf(attempt)) ?? true);
    if (!isRetried || earlier.length >= options.retries || isOver) {
      return toTrialResult(trial, attempt, { earlier, output: options.output });
    }
    earlier.push({
      run_id: attempt.runId,
      reason: attempt.reason ?? "",
      usage: attempt.usage,
      ...helpersOf(attempt),
    });
    options.onRetry(attempt);
  }
}

function failureOf({ report, error }: Attempt): RetryReason {
  const isTimeout = report?.status === "timed_out" || error?.class === "timeout";
  return isTimeout ? "timeout" : "error";
}

/** Creates the result of a trial that was not started. */
export function skippedTrial(trial: Trial, reason: string): TrialResult {
  const empty = { assertions: [], artifacts: [], warnings: [], earlier_attempts: [] };
  return { ...toTrialKey(trial), outcome: "SKIPPED", reason, usage: {}, ...empty };
}

interface ResultContext {
  earlier: EarlierAttempt[];
  output: string;
}

function toTrialResult(trial: Trial, attempt: Attempt, { earlier, output }: ResultContext): TrialResult {
  const { outcome, reason, error, assertions, usage, runId, workspace, report } = attempt;
  const folder = report?.runFolder === undefined ? undefined : portable(relative(output, report.runFolder));
  const model = report?.model ?? trial.engine.model;
  return {
    ...toTrialKey(trial),
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(error === undefined ? {} : { error }),
    assertions: [...assertions],
    ...(attempt.score === undefined ? {} : { score: attempt.score, rewards: attempt.rewards }),
    ...(runId === undefined ? {} : { run_id: runId }),
    ...(folder === undefined ? {} : { run_folder: folder }),
    ...(workspace === undefined ? {} : { workspace: `${WORKSPACES}/${workspace}` }),
    ...(model === undefined ? {} : { model }),
    ...factsOf(attempt),
    ...conversationOf(trial, attempt),
    usage,
    ...helpersOf(attempt),
    artifacts: artifactsOf(attempt, folder),
    warnings: [...(report?.warnings ?? []), ...attempt.warnings],
    earlier_attempts: earlier,
  };
}

/** Returns the usage of judges and the simulated user. */
function helpersOf({
  judgeUsage,
  simulatedUserUsage,
}: Attempt): Pick<TrialResult, "judge_usage" | "simulated_user_usage"> {
  return {
    ...(judgeUsage === undefined ? {} : { judge_usage: judgeUsage }),
    ...(simulatedUserUsage === undefined ? {} : { simulated_user_usage: simulatedUserUsage }),
  };
}

function factsOf({ report }: Attempt): Partial<TrialResult> {
  if (report === undefined) return {};
  const { status, result, timing } = report;
  const stderr = result?.stderr ?? "";
  return {
    status,
    duration_ms: timing.durationMs,
    ...(result === undefined ? {} : { exit_code: result.exit_code, final_message: headOf(result.final_message) }),
    ...(stderr === "" ? {} : { stderr: tailOf(stderr) }),
    ...(result?.turns === undefined ? {} : { turns: result.turns }),
  };
}

function conversationOf({ case: { turns } }: Trial, attempt: Attempt): Pick<TrialResult, "conversation"> {
  if (turns === undefined || attempt.turns === undefined) return {};
  const conversation = attempt.turns.map(({ content, response, status, reason }) => ({
    ...{ content: headOf(content), response: headOf(response), status },
    ...(reason === undefined ? {} : { reason }),
  }));
  return { conversation };
}

function artifactsOf({ report, collected = [] }: Attempt, folder: string | undefined): TrialArtifact[] {
  const declared = (report?.artifacts ?? []).map(({ name, path, bytes, dropped }) => ({
    name,
    ...(path === undefined || folder === undefined ? {} : { path: `${folder}/artifacts/${portable(path)}` }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(dropped === undefined ? {} : { dropped }),
  }));
  const copied = collected.map((one) =>
    folder === undefined || one.bytes === undefined ? one : { ...one, path: `${folder}/${COLLECTED}/${one.name}` },
  );
  return [...declared, ...copied];
}

function portable(path: string): string {
  return path.split(sep).join("/");
}

function headOf(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

function tailOf(text: string): string {
  return text.length <= MAX_TEXT ? text : `…${text.slice(-MAX_TEXT)}`;
}
