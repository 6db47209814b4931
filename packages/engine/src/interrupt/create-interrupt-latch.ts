import type { Interrupt, InterruptSource } from "@switchyard/contracts";

/** Where a host puts the interrupt of a run. */
export interface InterruptLatch {
  /** What engines read. */
  readonly source: InterruptSource;
  /** Asks the run to stop. The first interrupt stays until the run ends; says whether this was it. */
  interrupt(interrupt: Interrupt): boolean;
  /** Says that no interrupt will come any more: whoever waits for one gets nothing. */
  close(): void;
}

/** Makes a latch without an interrupt. engine: Interrupter. */
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
