import type { Interrupt, InterruptSource } from "@switchyard/contracts";

/** What ends a piece of work before its time. Disposed, it watches no longer. */
export interface WatchedInterrupts extends Disposable {
  /** Fires when the run is cancelled or an interrupt arrives. */
  readonly signal: AbortSignal;
  /** The interrupt, when one came. */
  readonly interrupt: Interrupt | undefined;
}

/**
 * Watches for what ends a call or a turn of an engine before its time: the signal of its run, and interrupts of its host.
 * A source that fails has none. engine: Interrupter.
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
