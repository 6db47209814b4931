import { type Cause, EngineError, findEngineError, type Interrupt } from "@switchyard/contracts";

const CAUSES: readonly Cause[] = ["", "user_cancel", "user_input", "host_shutdown", "custom"];

/** The error of a run that stopped because of an interrupt: `run.interrupted`. engine: Interrupted, InterruptedError. */
export function interruptedError(interrupt: Interrupt, options: { cause?: unknown } = {}): EngineError {
  const error = new EngineError("run.interrupted", { cause: interrupt.cause, detail: interrupt.detail }, options);
  const cause = interrupt.cause === "" ? "" : ` (${interrupt.cause})`;
  const detail = interrupt.detail === undefined || interrupt.detail === "" ? "" : `: ${interrupt.detail}`;
  // The table's sentence cannot leave out what is not there.
  Object.defineProperty(error, "message", { value: `engine: interrupted${cause}${detail}`, configurable: true });
  return error;
}

/** The interrupt that an error, or one of its causes, tells of; nothing when it tells of none. engine: InterruptedError. */
export function interruptOf(error: unknown): Interrupt | undefined {
  const found = findEngineError(error, (candidate) => candidate.code === "run.interrupted");
  if (found === undefined) return undefined;
  const cause = CAUSES.find((candidate) => candidate === found.details["cause"]) ?? "";
  const detail = found.details["detail"];
  return typeof detail === "string" ? { cause, detail } : { cause };
}
