import type { Interrupt, InterruptSource } from "@switchyard/contracts";

/** A signal that fires when the run is cancelled or an interrupt arrives. */
export interface WatchedInterrupts extends Disposable {
  readonly signal: AbortSignal;
  /** The interrupt, when one came. */
  readonly interrupt: Interrupt | undefined;
}

/** Watches for what ends a call before its time. */
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
