import { EngineError, type Interrupt, type InterruptSource } from "@switchyard/contracts";
import { createInterruptLatch, interruptedError } from "@switchyard/engine";
import type { Timer } from "./timer.ts";

/** Request to stop a run, with its reason. */
export type StopRequest =
  | { readonly kind: "interrupted" | "cancelled" | "timed_out"; readonly error: EngineError }
  | { readonly kind: "store_failed"; readonly error: EngineError };

/** Options of {@link createStopControl}. */
export interface StopControlOptions {
  /** Timer for the grace periods. */
  timer: Timer;
  /** Time after an interrupt until the run's signal aborts, in milliseconds. */
  interruptGraceMs: number;
  /** Time after the signal's abort until the engine is abandoned, in milliseconds. */
  cancelGraceMs: number;
}

/**
 * Stops a run. The first stop request determines the run's status. A later request can only make the run end earlier.
 * See durability promise D10.
 */
export interface StopControl {
  /** Source of interrupts for the engine. */
  readonly interrupts: InterruptSource;
  /** Aborts if the run is cancelled, exceeds its time limit or ignores an interrupt. */
  readonly signal: AbortSignal;
  /** First request to stop. `undefined` if there was none. */
  readonly request: StopRequest | undefined;
  /** Aborts at the first stop request of any kind. Used for waits that can end without a grace period. */
  readonly requested: AbortSignal;
  /** Resolves when the grace period of the engine is over. */
  readonly abandoned: Promise<void>;
  /** Requests a clean stop. Returns whether this was the first stop request. */
  interrupt(interrupt: Interrupt): boolean;
  /** Stops the run by aborting the signal. Returns whether this was the first stop request. */
  stop(kind: "cancelled" | "timed_out" | "store_failed", error: EngineError): boolean;
  /** Cancels the timers of the grace periods after the engine has ended. */
  release(): void;
}

/** Creates the stop control of a run. */
export function createStopControl(options: StopControlOptions): StopControl {
  const latch = createInterruptLatch();
  const controller = new AbortController();
  const released = new AbortController();
  const requested = new AbortController();
  let request: StopRequest | undefined;
  let giveUp: () => void = () => undefined;
  const abandoned = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  function after(delayMs: number, action: () => void): void {
    // A rejection means that the engine ended during the wait, so no action is needed.
    options.timer.sleep(delayMs, { signal: released.signal }).then(action, () => undefined);
  }
  function fire(error: EngineError): void {
    if (controller.signal.aborted) return;
    controller.abort(error);
    after(options.cancelGraceMs, giveUp);
  }
  function note(first: StopRequest): void {
    request = first;
    requested.abort(first.error);
  }
  return {
    interrupts: latch.source,
    requested: requested.signal,
    signal: controller.signal,
    get request() {
      return request;
    },
    abandoned,
    interrupt: (interrupt) => {
      if (request !== undefined || released.signal.aborted) return false;
      const error = interruptedError(interrupt);
      note({ kind: "interrupted", error });
      latch.interrupt(interrupt);
      after(options.interruptGraceMs, () => fire(error));
      return true;
    },
    stop: (kind, error) => {
      if (released.signal.aborted) return false;
      const isFirst = request === undefined;
      if (isFirst) note({ kind, error });
      fire(error);
      return isFirst;
    },
    release: () => {
      latch.close();
      // Without a reason, the signal would create an error with a stack trace for each run.
      released.abort("the run has ended");
    },
  };
}

/** Returns the error of a cancellation by the host's signal, with the reason as its cause. */
export function cancelledError(reason: unknown): EngineError {
  return new EngineError("run.cancelled", {}, { cause: reason });
}
