import { type Cause, EngineError, findEngineError, type Interrupt } from "@switchyard/contracts";

const CAUSES: readonly Cause[] = ["", "user_cancel", "user_input", "host_shutdown", "custom"];

/** Returns the error of an interrupted run: `run.interrupted`. See engine: Interrupted, InterruptedError. */
export function interruptedError(interrupt: Interrupt, options: { cause?: unknown } = {}): EngineError {
  const error = new EngineError("run.interrupted", { cause: interrupt.cause, detail: interrupt.detail }, options);
  const cause = interrupt.cause === "" ? "" : ` (${interrupt.cause})`;
  const detail = interrupt.detail === undefined || interrupt.detail === "" ? "" : `: ${interrupt.detail}`;
  // The message is built here, because the template in the error table cannot omit a missing cause or detail.
  Object.defineProperty(error, "message", { value: `engine: interrupted${cause}${detail}`, configurable: true });
  return error;
}

/**
 * Returns the interrupt of an error or one of its causes; `undefined` if there is none. See engine: InterruptedError.
 */
export function interruptOf(error: unknown): Interrupt | undefined {
  const found = findEngineError(error, (candidate) => candidate.code === "run.interrupted");
  if (found === undefined) return undefined;
  const cause = CAUSES.find((candidate) => candidate === found.details["cause"]) ?? "";
  const detail = found.details["detail"];
  return typeof detail === "string" ? { cause, detail } : { cause };
}
