import type { Interrupt, InterruptSource } from "@switchyard/contracts";

/** Watches for interrupts and cancellation of a run until the watch is disposed. */
export interface WatchedInterrupts extends Disposable {
  /** Aborts when the run is cancelled or interrupted. */
  readonly signal: AbortSignal;
  /** Interrupt that arrived; `undefined` if none has arrived. */
  readonly interrupt: Interrupt | undefined;
}

/**
 * Watches the signal of a run and the interrupts (stop requests) of its host, so that a call or turn can be ended
 * early. An interrupt source that fails counts as having no interrupts. See engine: Interrupter.
 */
export function watchInterrupts(signal: AbortSignal, source: InterruptSource | undefined): WatchedInterrupts {
  const stop = new AbortController();
  const watching = new AbortController();
  let interrupt: Interrupt | undefined;
  void source
    ?.receive(watching.signal)
    .then((received) => {
      if (received === undefined || watching.signal.aborted) return;
      interrupt = received;
      stop.abort();
    })
    .catch(() => {});
  return {
    signal: AbortSignal.any([signal, stop.signal]),
    get interrupt() {
      return interrupt;
    },
    [Symbol.dispose]: () => watching.abort(),
  };
}
