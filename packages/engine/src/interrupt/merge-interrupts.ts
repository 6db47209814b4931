import type { Interrupt, InterruptSource } from "@switchyard/contracts";

/**
 * Several interrupt sources as one. Used as an interrupt source, it returns the first interrupt. Used as an iterable,
 * it yields all interrupts.
 */
export interface MergedInterrupts extends InterruptSource, AsyncIterable<Interrupt> {
  /** True if no more interrupts can arrive: all sources are closed, or the signal has aborted. */
  readonly closed: boolean;
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
  const waiting = new Set<() => void>();
  let closed = signal.aborted;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function close(): void {
    closed = true;
    signal.removeEventListener("abort", close);
    wakeAll();
  }

  /** Resolves when an interrupt arrives, the merged source closes, or the reader's signal aborts. */
  function change(reader?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        reader?.removeEventListener("abort", wake);
        resolve();
      };
      waiting.add(wake);
      reader?.addEventListener("abort", wake, { once: true });
    });
  }

  async function forward(source: InterruptSource): Promise<void> {
    const interrupt = await source.receive(signal);
    if (interrupt === undefined || closed) return;
    received.push(interrupt);
    wakeAll();
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
      while (received[0] === undefined && !closed && !reader.aborted) await change(reader);
      return received[0];
    },
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; ) {
        const interrupt = received[index];
        if (interrupt !== undefined) {
          index += 1;
          yield interrupt;
        } else if (closed) return;
        else await change();
      }
    },
  };
}
