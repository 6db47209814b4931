import { EngineError, isoTime, toEngineError, type Usage } from "@switchyard/contracts";
import { orAborted } from "../session/or-aborted.ts";
import { keepWhatWasSaid } from "../session/reach-boundary.ts";
import { isAmount } from "../session/sane-usage.ts";
import type { SessionCore } from "../session/session-core.ts";

function isUsage(value: unknown): value is Usage {
  if (typeof value !== "object" || value === null) return false;
  return ["inputTokens", "outputTokens", "totalTokens"].every((name) => isAmount(Reflect.get(value, name)));
}

/** Tokens that a failed call reports nevertheless, as the `usage` of the error's details. */
function usageOfFailure(error: unknown): Usage | undefined {
  const usage = EngineError.is(error) ? error.details["usage"] : undefined;
  return isUsage(usage) ? usage : undefined;
}

/**
 * Counts what a failed attempt cost towards limits, budget and report: its response is discarded, and paid for all the
 * same. Rejects if the host allows no further tokens.
 */
export async function countFailedAttempt(core: SessionCore, error: unknown): Promise<void> {
  const reported = usageOfFailure(error);
  if (reported === undefined) return;
  // An id of its own: some servers give every response the same one, and then the next would not count.
  const responseId = `discarded-${crypto.randomUUID()}`;
  const usage = { ...reported, responseId };
  core.conversation.addUsage(usage);
  core.emit("usage_reported", { response_id: responseId, usage });
  await core.reportUsage?.(usage);
}

/**
 * Waits before the next attempt at a turn whose model call failed, and tells the host; says whether there is one. While
 * it waits, the session can be steered and aborted. What was said since the last boundary is stored before.
 */
export async function isTurnRetried(core: SessionCore, failure: unknown): Promise<boolean> {
  const { turnRetries, signal } = core;
  const planned = turnRetries.plan(failure);
  if (planned === undefined) {
    turnRetries.giveUp(failure);
    return false;
  }
  await keepWhatWasSaid(core);
  const { attempt, delayMs, waitedMs, maxWaitMs } = planned;
  core.emit("model_call_retried", {
    ...{ attempt, delay_ms: delayMs, error: toEngineError(failure).toWire(), level: "turn" as const },
    ...{ retry_at: isoTime(core.now() + delayMs), waited_ms: waitedMs, is_partial: turnRetries.hasPartial },
    ...(Number.isFinite(maxWaitMs) ? { max_wait_ms: maxWaitMs } : {}),
  });
  await orAborted(turnRetries.wait(planned, failure), signal);
  return true;
}
