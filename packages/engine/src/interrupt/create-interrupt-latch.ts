import type { Interrupt, InterruptSource } from "@switchyard/contracts";

/** Remembers the first interrupt of a run. Later interrupts are ignored. */
export interface InterruptLatch {
  /** Source that engines read. */
  readonly source: InterruptSource;
  /**
   * Requests a stop. The first interrupt stays set until the run ends, and later ones are ignored. Returns true if this
   * was the first.
   */
  interrupt(interrupt: Interrupt): boolean;
  /** Closes the latch: pending and later reads resolve with `undefined`. */
  close(): void;
}

/** Creates a latch (a switch that can be set once) that has not been interrupted. See engine: Interrupter. */
export function createInterruptLatch(): InterruptLatch {
  let first: Interrupt | undefined;
  let closed = false;
  const waiting = new Set<() => void>();

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function receive(signal: AbortSignal): Promise<Interrupt | undefined> {
    if (first !== undefined || closed || signal.aborted) return Promise.resolve(first);
    return new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve(first);
      };
      waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  return {
    source: { tryReceive: () => first, receive },
    interrupt(interrupt) {
      if (first !== undefined || closed) return false;
      first = Object.freeze({ ...interrupt });
      wakeAll();
      return true;
    },
    close() {
      closed = true;
      wakeAll();
    },
  };
}
