import type { Envelope } from "@switchyard/contracts";

/**
 * Maximum number of buffered events per reader. A slower reader reads stored events from the log. See durability
 * promise D13.
 */
const MAX_WAITING = 65_536;
/** Maximum size of the events buffered per reader, in characters. See durability promise D13. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

/** Item that a reader receives from an event tail. */
type TailItem =
  | { kind: "event"; envelope: Envelope; size: number }
  /** The reader fell behind, so buffered events were dropped. The reader must read stored events from the log. */
  | { kind: "lagged" }
  | { kind: "ended" };

/** Bounded buffer of live events for one reader, so that a slow reader does not affect the run. */
export interface EventTail {
  /** Sequence number (`seq`) of the last event stored before this tail starts. */
  readonly startSeq: number;
  /** Resolves with the next item. Only one call at a time. */
  next(): Promise<TailItem>;
  /** Ends the tail; a waiting `next` resolves with `ended`. */
  close(): void;
}

/** An event tail, with the method by which the writer of the events adds items. */
export interface TailWriter extends EventTail {
  /** Adds an item without waiting. */
  push(item: TailItem): void;
}

/** Creates a tail that starts after the stored event `startSeq`. Calls `onClose` once. */
export function createEventTail(startSeq: number, onClose: (tail: TailWriter) => void): TailWriter {
  let waiting: TailItem[] = [];
  let read = 0;
  let characters = 0;
  let closed = false;
  let wake: (() => void) | undefined;

  function reset(...items: TailItem[]): void {
    waiting = items;
    read = 0;
    characters = 0;
  }
  function take(): TailItem | undefined {
    const item = waiting[read];
    if (item === undefined) return undefined;
    read++;
    if (item.kind === "event") characters -= item.size;
    if (read === waiting.length) reset();
    return item;
  }
  const tail: TailWriter = {
    startSeq,
    push: (item) => {
      if (closed) return;
      waiting.push(item);
      if (item.kind === "event") characters += item.size;
      if (item.kind === "ended") closed = true;
      // If the reader is too slow, the tail ends, and the reader opens a new tail.
      if (waiting.length - read > MAX_WAITING || characters > MAX_WAITING_CHARACTERS) {
        closed = true;
        reset({ kind: "lagged" });
        onClose(tail);
      }
      wake?.();
    },
    next: async () => {
      for (;;) {
        const item = take();
        if (item !== undefined) return item;
        if (closed) return { kind: "ended" };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
    },
    close: () => {
      closed = true;
      reset();
      onClose(tail);
      wake?.();
    },
  };
  return tail;
}
