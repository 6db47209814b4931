import { type BoardSnapshot, type FailedAttempt, messageOf } from "@switchyard/contracts";
import { assertBudgetLeft } from "@switchyard/engine";
import { takenUntil } from "../host/control-on-board.ts";
import { executeEngine, timeLimitMs } from "../session/execute-engine.ts";
import type { Ending } from "../session/outcome.ts";
import type { RunningSession } from "../session/running-session.ts";
import { planRetry } from "./retry-plan.ts";

/**
 * Runs the engine until it succeeds, fails for good, is stopped, or has been tried often enough; between two tries it
 * waits, longer each time. Each try goes on from the last checkpoint. The run stays this process's, and running, over
 * all of them. Never rejects. agent-adapter: error kinds.
 */
export async function runAttempts(session: RunningSession): Promise<Ending> {
  const { plan, stop, attempts } = session;
  const { retry, random = Math.random } = plan.options;
  const opening = retry === undefined ? undefined : plan.board.snapshot();
  let ending = await executeEngine(session);
  while (retry !== undefined && opening !== undefined && stop.request === undefined) {
    const facts = { ending, attempt: attempts.current, failed: attempts.failed, random };
    const failed = await planRetry({ ...facts, retry, leftMs: timeLeftMs(session) });
    if (failed === undefined || !(await isReady(session, failed, opening))) break;
    ending = await executeEngine(session);
  }
  return ending;
}

function timeLeftMs(session: RunningSession): number {
  const limitMs = timeLimitMs(session.plan);
  return limitMs > 0 ? limitMs - session.activeMs() : Number.POSITIVE_INFINITY;
}

/** Waits for the next attempt and prepares it; says whether it may begin. */
async function isReady(session: RunningSession, failed: FailedAttempt, opening: BoardSnapshot): Promise<boolean> {
  const { plan, stop, events, attempts, host, usage } = session;
  const { retry, budget } = plan.options;
  try {
    await host.settled();
    if (budget !== undefined) assertBudgetLeft(budget, { usage: usage.total(), modelCalls: usage.modelCalls() });
    attempts.fail(failed);
    // On disk before the wait: a run whose process dies meanwhile goes on with the next try.
    await events.report("retry_scheduled", {
      ...{ attempt: failed.attempt, next_attempt: failed.attempt + 1, tries: attempts.failed.length },
      ...{ max_attempts: retry?.maxAttempts ?? 1, delay_ms: failed.delayMs, error: failed.error },
    });
    if (stop.request === undefined) await plan.timer.sleep(failed.delayMs, { signal: stop.requested });
    if (stop.request !== undefined) return false;
    await begin(session, opening);
    return stop.request === undefined;
  } catch (error) {
    if (stop.request === undefined) {
      await events.warn("retry", `The run was not tried again: ${messageOf(error)}`);
    }
    return false;
  }
}

/** The next attempt has the board of the last checkpoint, or that of the run's beginning, and hears again what that does not know of. */
async function begin({ plan, writer, record, attempts }: RunningSession, opening: BoardSnapshot): Promise<void> {
  const checkpoint = await writer.load();
  plan.board.restoreFrom(checkpoint?.board ?? opening);
  plan.control.giveBack(takenUntil(checkpoint));
  plan.checkpoint = checkpoint;
  attempts.next();
  await record.set("running", { attempt: attempts.current });
}
