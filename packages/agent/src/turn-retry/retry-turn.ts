import { EngineError, isoTime, toEngineError, type Usage } from "@switchyard/contracts";
import { storeUnsavedTurns } from "../checkpoint/reach-boundary.ts";
import { warnOfUnknownCost } from "../loop/limit-reached.ts";
import { isAmount } from "../loop/normalize-usage.ts";
import { rejectOnAbort } from "../session/reject-on-abort.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { FallbackModel } from "./model-fallbacks.ts";
import type { PlannedRetry } from "./turn-retries.ts";

function isUsage(value: unknown): value is Usage {
  if (typeof value !== "object" || value === null) return false;
  return ["inputTokens", "outputTokens", "totalTokens"].every((name) => isAmount(Reflect.get(value, name)));
}

/** Returns the token usage that the error of a failed call reports in its details. `undefined` if there is none. */
function usageOfFailure(error: unknown): Usage | undefined {
  const usage = EngineError.is(error) ? error.details["usage"] : undefined;
  return isUsage(usage) ? usage : undefined;
}

/**
 * Counts and reports the usage of a failed attempt, because discarded responses cost tokens too. Rejects if the host
 * allows no more tokens.
 */
export async function countFailedAttempt(core: SessionCore, error: unknown): Promise<void> {
  const reported = usageOfFailure(error);
  if (reported === undefined) return;
  // Some servers use one id for all responses. With that id, the next response's usage would count as a duplicate.
  const responseId = `discarded-${crypto.randomUUID()}`;
  const usage = { ...reported, responseId };
  core.conversation.addUsage(usage);
  core.emit("usage_reported", { response_id: responseId, usage });
  warnOfUnknownCost(core, usage.costMicros);
  await core.reportUsage?.(usage);
}

/**
 * Waits before the next attempt at a failed turn, or switches to a fallback model. Emits an event for either. Returns
 * whether there is a next attempt. The session can be steered and aborted during the wait. Unsaved turns are stored
 * first.
 */
export async function isTurnRetried(core: SessionCore, failure: unknown): Promise<boolean> {
  const { turnRetries } = core;
  const planned = turnRetries.plan(failure);
  const fallback = turnRetries.fallbackAfter(failure);
  if (planned === undefined && fallback === undefined) {
    turnRetries.giveUp(failure);
    return false;
  }
  await storeUnsavedTurns(core);
  // A fallback is called immediately. Only after the last model does the turn wait.
  if (planned !== undefined && (fallback === undefined || turnRetries.models.isLast)) {
    await waitForTurn(core, planned, failure);
  }
  if (fallback !== undefined) fallBack(core, fallback, failure);
  return true;
}

async function waitForTurn(core: SessionCore, planned: PlannedRetry, failure: unknown): Promise<void> {
  const { turnRetries, signal } = core;
  const { attempt, delayMs, waitedMs, maxWaitMs } = planned;
  core.emit("model_call_retried", {
    ...{ attempt, delay_ms: delayMs, error: toEngineError(failure).toWire(), level: "turn" as const },
    ...{ retry_at: isoTime(core.now() + delayMs), waited_ms: waitedMs, is_partial: turnRetries.hasPartial },
    ...(Number.isFinite(maxWaitMs) ? { max_wait_ms: maxWaitMs } : {}),
  });
  await rejectOnAbort(turnRetries.wait(planned, failure), signal);
}

function fallBack({ turnRetries, emit }: SessionCore, fallback: FallbackModel, failure: unknown): void {
  const from = turnRetries.models.current;
  emit("model_fallback", {
    from: `${from.provider}/${from.model}`,
    to: `${fallback.provider}/${fallback.model}`,
    error: toEngineError(failure).toWire(),
  });
  turnRetries.changeModel(fallback);
}
