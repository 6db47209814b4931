import { EngineError, findEngineError, type Interrupter, messageOf, type Run } from "@switchyard/contracts";
import { interruptedError } from "../interrupt/interrupted-error.ts";

function isNamed(reason: unknown, name: string): boolean {
  return typeof reason === "object" && reason !== null && "name" in reason && reason.name === name;
}

/**
 * The reason of a fired signal as an error: its own where it is classified, `run.timed_out` for a deadline, else
 * `run.cancelled`. engine: errdefs.FromContext.
 */
export function errorOfSignal(signal: AbortSignal, options: { cause?: unknown } = {}): EngineError {
  const reason: unknown = signal.reason;
  const classified = findEngineError(reason);
  if (classified !== undefined) return classified;
  const cause = options.cause ?? reason;
  return isNamed(reason, "TimeoutError")
    ? new EngineError("run.timed_out", {}, { cause })
    : new EngineError("run.cancelled", {}, { cause });
}

/** Why a run must not begin or go on, if so: its signal has fired, or an interrupt is there. */
export function stopReasonOf(run: Pick<Run, "signal">, host: Interrupter): EngineError | undefined {
  if (run.signal.aborted) return errorOfSignal(run.signal);
  const interrupt = host.interrupts()?.tryReceive();
  return interrupt === undefined ? undefined : interruptedError(interrupt);
}

/**
 * Throws when a run must not go on: for engines to call between their steps. A fired signal gives its reason, an
 * interrupt `run.interrupted`, whatever its cause. engine: Interrupter.
 */
export function assertRunning(run: Pick<Run, "signal">, host: Interrupter): void {
  const stop = stopReasonOf(run, host);
  if (stop !== undefined) throw stop;
}

/**
 * What an execution rejects with. Errors that say themselves why the run stopped stay: an interrupt, a budget. Once
 * the run was asked to stop, everything else is a consequence of that. engine: Engine.
 */
export function classifyFailure(
  error: unknown,
  { run, host, name }: { run: Pick<Run, "signal">; host: Interrupter; name: string },
): EngineError {
  const own = findEngineError(error);
  if (own?.class === "interrupted" || own?.class === "budget_exceeded") return own;
  if (run.signal.aborted) return errorOfSignal(run.signal, { cause: error });
  if (isNamed(error, "AbortError") || own?.class === "aborted") {
    const interrupt = host.interrupts()?.tryReceive();
    if (interrupt !== undefined) return interruptedError(interrupt, { cause: error });
  }
  if (own !== undefined) return own;
  return new EngineError("engine.failed", { engine: name, problem: messageOf(error) }, { cause: error });
}
