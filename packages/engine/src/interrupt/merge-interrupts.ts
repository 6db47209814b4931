import type { Interrupt, InterruptSource } from "@switchyard/contracts";

/**
 * Several interrupt sources as one. Used as an interrupt source, it returns the first interrupt. Used as an iterable,
 * it yields all interrupts.
 */
export interface MergedInterrupts extends InterruptSource, AsyncIterable<Interrupt> {
  /** True if no more interrupts can arrive: all sources are closed, or the signal has aborted. */
  readonly closed: boolean;
}

/** Readers that wait until something has changed. */
class WaitingReaders {
  readonly #wakes = new Set<() => void>();

  /** Resolves at the next call of `wake`, or when the reader's signal aborts. */
  wait(reader?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wakes.delete(wake);
        reader?.removeEventListener("abort", wake);
        resolve();
      };
      this.#wakes.add(wake);
      reader?.addEventListener("abort", wake, { once: true });
    });
  }

  /** Wakes all readers. */
  wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }
}

/**
 * Merges interrupt sources; `undefined` ones are skipped. Interrupts are yielded in order of arrival, without
 * deduplication. The merged source closes when all sources are closed or the signal aborts, and then removes its
 * listeners. Without sources, it stays open until the signal aborts. See engine: MergeInterrupts.
 */
export function mergeInterrupts(
  sources: Iterable<InterruptSource | undefined>,
  { signal }: { readonly signal: AbortSignal },
): MergedInterrupts {
  const present = [...sources].filter((source) => source !== undefined);
  const received: Interrupt[] = [];
  const readers = new WaitingReaders();
  let closed = signal.aborted;

  function close(): void {
    closed = true;
    signal.removeEventListener("abort", close);
    readers.wake();
  }

  async function forward(source: InterruptSource): Promise<void> {
    const interrupt = await source.receive(signal);
    if (interrupt === undefined || closed) return;
    received.push(interrupt);
    readers.wake();
  }

  if (!closed) {
    signal.addEventListener("abort", close, { once: true });
    if (present.length > 0) void Promise.allSettled(present.map(forward)).then(close);
  }

  return {
    get closed() {
      return closed;
    },
    tryReceive: () => received[0],
    async receive(reader) {
      while (received[0] === undefined && !closed && !reader.aborted) await readers.wait(reader);
      return received[0];
    },
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; ) {
        const interrupt = received[index];
        if (interrupt !== undefined) {
          index += 1;
          yield interrupt;
        } else if (closed) return;
        else await readers.wait();
      }
    },
  };
}
