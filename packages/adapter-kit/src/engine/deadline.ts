import { EngineError, type SessionInput } from "@switchyard/contracts";
import type { ConversationState } from "./conversation-state.ts";

/** Longest time that a timer measures. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The end of the time that a case has. */
export interface Deadline extends Disposable {
  /** Fires when the time is up; never without a limit. */
  readonly signal: AbortSignal;
  /** What the run ends with then. */
  error(cause: unknown): EngineError;
}

/** Starts the time that is left of a case; what earlier attempts took is gone. */
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
