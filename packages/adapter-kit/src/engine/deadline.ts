import { EngineError, type SessionInput } from "@switchyard/contracts";
import type { ConversationState } from "./conversation-state.ts";

/** Longest delay of a timer, in milliseconds. A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Time limit of a run. */
export interface Deadline extends Disposable {
  /** Signal that aborts when the time limit is reached. It never aborts if there is no limit. */
  readonly signal: AbortSignal;
  /** Returns the error with which the run ends at the deadline. */
  error(cause: unknown): EngineError;
}

/**
 * Starts a timer for the rest of a run's time limit: the limit minus the time that earlier attempts at the run used.
 */
export function startDeadline({ timeout_seconds: seconds = 0 }: SessionInput, state: ConversationState): Deadline {
  const controller = new AbortController();
  const timeoutMs = seconds * 1000;
  const left = Math.min(MAX_TIMER_MS, Math.max(1, timeoutMs - state.durationMs));
  const timer = seconds > 0 ? setTimeout(() => controller.abort(), left) : undefined;
  return {
    signal: controller.signal,
    error: (cause) => new EngineError("run.timed_out", { timeoutMs }, { cause }),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
