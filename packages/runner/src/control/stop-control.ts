import { EngineError, type Interrupt, type InterruptSource } from "@switchyard/contracts";
import { createInterruptLatch, interruptedError } from "@switchyard/engine";
import type { Timer } from "./timer.ts";

/** Why a run was asked to stop. */
export type StopRequest =
  | { readonly kind: "interrupted" | "cancelled" | "timed_out"; readonly error: EngineError }
  | { readonly kind: "store_failed"; readonly error: EngineError };

/** How long an engine has to stop. */
export interface StopControlOptions {
  /** Waits. */
  timer: Timer;
  /** Time after an interrupt until the run's signal fires, in milliseconds. */
  interruptGraceMs: number;
  /** Time after the signal has fired until the engine is given up, in milliseconds. */
  cancelGraceMs: number;
}

/**
 * Asks a run to stop. The first request is the one that is recorded; a later one can only hasten the end. D10.
 */
export interface StopControl {
  /** What the engine reads interrupts from. */
  readonly interrupts: InterruptSource;
  /** Fires when the run is cancelled, its time is up or it did not heed an interrupt. */
  readonly signal: AbortSignal;
  /** Why the run was asked to stop, if it was. */
  readonly request: StopRequest | undefined;
  /** Fires at the first request of any kind, for what has no grace of its own. */
  readonly requested: AbortSignal;
  /** Resolves when the engine had its time to stop. */
  readonly givenUp: Promise<void>;
  /** Asks to stop cleanly. Says whether this was the first request. */
  interrupt(interrupt: Interrupt): boolean;
  /** Stops by signal. Says whether this was the first request. */
  stop(kind: "cancelled" | "timed_out" | "store_failed", error: EngineError): boolean;
  /** Ends all waiting: the engine is done. */
  release(): void;
}

/** Makes the control of a run that nobody has asked to stop. */
export function createStopControl(options: StopControlOptions): StopControl {
  const latch = createInterruptLatch();
  const controller = new AbortController();
  const released = new AbortController();
  const requested = new AbortController();
  let request: StopRequest | undefined;
  let giveUp: () => void = () => undefined;
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  function after(delayMs: number, action: () => void): void {
    // Released while waiting: nothing is left to do.
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
    givenUp,
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
      released.abort();
    },
  };
}

/** A cancellation by the host's signal as an error, its reason kept as the cause. */
export function cancelledError(reason: unknown): EngineError {
  return new EngineError("run.cancelled", {}, { cause: reason });
}
