import { EngineError, findEngineError, type Interrupter, messageOf, type Run } from "@switchyard/contracts";
import { interruptedError } from "../interrupt/interrupted-error.ts";

function isNamed(reason: unknown, name: string): boolean {
  return typeof reason === "object" && reason !== null && "name" in reason && reason.name === name;
}

/**
 * Returns the reason of an aborted signal as an error: the reason itself if it is an `EngineError`, `run.timed_out` for
 * a deadline, else `run.cancelled`. See engine: errdefs.FromContext.
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

/**
 * Returns why a run must stop: its signal has aborted, or the run was interrupted. `undefined` if the run may continue.
 */
export function stopReasonOf(run: Pick<Run, "signal">, host: Interrupter): EngineError | undefined {
  if (run.signal.aborted) return errorOfSignal(run.signal);
  const interrupt = host.interrupts()?.tryReceive();
  return interrupt === undefined ? undefined : interruptedError(interrupt);
}

/**
 * Throws if a run must stop. Engines call this function between their steps. Throws the reason of an aborted signal, or
 * `run.interrupted` for an interrupt of any cause. See engine: Interrupter.
 */
export function assertRunning(run: Pick<Run, "signal">, host: Interrupter): void {
  const stop = stopReasonOf(run, host);
  if (stop !== undefined) throw stop;
}

/**
 * Converts an error that an engine threw to the error that the execution rejects with. An `EngineError` that states why
 * the run stopped, such as an interrupt or an exceeded budget, stays unchanged. If the run's signal has aborted, any
 * other error is assumed to result from the abort, so the abort reason is returned (see `errorOfSignal`). If the engine
 * threw an abort error because of an interrupt, `run.interrupted` is returned. An error that is not an `EngineError`
 * becomes `engine.failed`. See engine: Engine.
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
