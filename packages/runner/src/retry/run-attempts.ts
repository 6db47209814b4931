import { type BoardSnapshot, type FailedAttempt, messageOf } from "@switchyard/contracts";
import { assertBudgetLeft } from "@switchyard/engine";
import { deliveredMessageIds } from "../host/delivered-messages.ts";
import { checkOutput, isInvalidOutput, planRepair, prepareRepair } from "../output/check-output.ts";
import { DEFAULT_REPAIRS } from "../output/output-options.ts";
import type { Ending } from "../result/outcome.ts";
import { canResumeRun, notResumableError } from "../resume/can-resume-run.ts";
import { assertCheckpointNotLost } from "../resume/recorded-work.ts";
import { executeEngine, timeLimitMs } from "../session/execute-engine.ts";
import type { RunningSession } from "../session/running-session.ts";
import { planRetry, skippedAttempts } from "./retry-plan.ts";

/**
 * Runs the engine until it succeeds, fails permanently, is stopped, or has used up its attempts. Waits with increasing
 * delays between attempts. Each attempt resumes from the last checkpoint; if only the final message was invalid, the
 * engine is asked for a valid message. The process holds the lease (the right to write to the run) throughout. Never
 * rejects. See agent-adapter: error kinds.
 */
export async function runAttempts(session: RunningSession): Promise<Ending> {
  const { plan, stop } = session;
  const { retry, output } = plan.options;
  const isRetried = retry !== undefined || output !== undefined;
  let opening = isRetried ? plan.board.snapshot() : undefined;
  let ending = await checkOutput(session, await executeEngine(session));
  while (opening !== undefined && stop.request === undefined) {
    const next = await planNext(session, ending, opening);
    if (next === undefined || !(await isReady(session, next))) break;
    opening = next.opening();
    ending = await checkOutput(session, await executeEngine(session));
  }
  return ending;
}

/** Plan of the next attempt, the next execution of the engine in this run. */
interface NextAttempt {
  readonly failed: FailedAttempt;
  /**
   * Number of attempts so far that failed for the same type of reason: an error, or an invalid final message. `most` is
   * the maximum number of such attempts.
   */
  readonly tries: number;
  readonly most: number;
  begin(): Promise<void>;
  /** Returns the board (key-value state) with which a further retry begins if there is no checkpoint. */
  opening(): BoardSnapshot;
}

async function planNext(
  session: RunningSession,
  ending: Ending,
  opening: BoardSnapshot,
): Promise<NextAttempt | undefined> {
  const { plan, attempts } = session;
  const { retry, output, random = Math.random } = plan.options;
  const [misfits, failures] = [
    attempts.failed.filter(isInvalidOutput),
    attempts.failed.filter((failed) => !isInvalidOutput(failed)),
  ];
  const repair = planRepair(session, ending);
  if (repair !== undefined) {
    return {
      ...{ failed: repair, tries: misfits.length + 1, most: (output?.repairs ?? DEFAULT_REPAIRS) + 1 },
      begin: () => beginRepair(session, opening, repair),
      opening: () => plan.board.snapshot(),
    };
  }
  if (retry === undefined) return undefined;
  const facts = {
    ending,
    attempt: attempts.current,
    failed: failures,
    random,
    retry,
    remainingMs: remainingTimeMs(session),
  };
  const failed = await planRetry(facts);
  if (failed === undefined) await warnOfSkippedAttempts(session, await skippedAttempts(facts));
  if (failed === undefined || !(await canRetry(session))) return undefined;
  return {
    ...{ failed, tries: failures.length + 1, most: retry.maxAttempts },
    begin: () => beginRetry(session, opening),
    opening: () => opening,
  };
}

async function warnOfSkippedAttempts({ events }: RunningSession, skipped: number): Promise<void> {
  if (skipped === 0) return;
  const remainder = skipped === 1 ? "1 more attempt is" : `${skipped} more attempts are`;
  const message = `The run was not attempted again, although ${remainder} allowed: the engine has already retried the failed model call for as long as it may.`;
  await events.warn("retry", message);
}

/** Whether the engine can resume. Checked before a retry, because a failed resume would hide the original error. */
async function canRetry({ plan, writer, events, host }: RunningSession): Promise<boolean> {
  try {
    if (await canResumeRun(writer, plan.engine, host.work)) return true;
    throw notResumableError(plan.runId, plan.engineName);
  } catch (error) {
    await events.warn("retry", `The run was not tried again: ${messageOf(error)}`);
    return false;
  }
}

function remainingTimeMs(session: RunningSession): number {
  const limitMs = timeLimitMs(session.plan);
  return limitMs > 0 ? limitMs - session.activeMs() : Number.POSITIVE_INFINITY;
}

/** Waits for the retry delay and prepares the next attempt. Resolves with `true` if the attempt may start. */
async function isReady(session: RunningSession, next: NextAttempt): Promise<boolean> {
  const { plan, stop, events, attempts, host, usage } = session;
  const { budget } = plan.options;
  const { failed, tries, most } = next;
  try {
    await host.settled();
    if (budget !== undefined) assertBudgetLeft(budget, { usage: usage.total(), modelCalls: usage.modelCalls() });
    attempts.fail(failed);
    // The event is stored before the wait. If the process dies during the wait, the run resumes with the next attempt.
    await events.report("retry_scheduled", {
      ...{ attempt: failed.attempt, next_attempt: failed.attempt + 1, tries },
      ...{ max_attempts: most, delay_ms: failed.delayMs, error: failed.error },
    });
    if (stop.request === undefined && failed.delayMs > 0) {
      await plan.timer.sleep(failed.delayMs, { signal: stop.requested });
    }
    if (stop.request !== undefined) return false;
    await next.begin();
    return stop.request === undefined;
  } catch (error) {
    if (stop.request === undefined) {
      await events.warn("retry", `The run was not tried again: ${messageOf(error)}`);
    }
    return false;
  }
}

/**
 * Restores the board (key-value state) of the last checkpoint, or the initial board. Queues user messages again that
 * the restored board does not contain.
 */
async function beginRetry(session: RunningSession, opening: BoardSnapshot): Promise<void> {
  const { plan, writer, host } = session;
  const { work } = host;
  const checkpoint = await writer.load();
  assertCheckpointNotLost(writer, checkpoint, work);
  plan.board.restoreFrom(checkpoint?.board ?? opening);
  plan.control.requeueUnknown(deliveredMessageIds(checkpoint));
  plan.checkpoint = checkpoint;
  await beginNext(session);
}

/**
 * Restarts the engine with the conversation so far, to get a valid final message. The checkpoint is not used, because
 * no checkpoint records that the final message is invalid.
 */
async function beginRepair(session: RunningSession, opening: BoardSnapshot, failed: FailedAttempt): Promise<void> {
  const { plan } = session;
  await prepareRepair(plan.board, opening, failed);
  plan.checkpoint = undefined;
  await beginNext(session);
}

async function beginNext({ attempts, record }: RunningSession): Promise<void> {
  attempts.next();
  await record.set("running", { attempt: attempts.current });
}
