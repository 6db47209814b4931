import type { Envelope } from "@switchyard/contracts";

/** Most increments and events that wait for one reader; beyond it, it reads stored events from the log. D13. */
const MAX_WAITING = 65_536;
/** Most characters that wait for one reader. D13. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

/** What a reader of live events is handed next. */
type TailItem =
  | { kind: "event"; envelope: Envelope; size: number }
  /** The reader fell behind: what waited was dropped, and stored events are to be read from the log. */
  | { kind: "lagged" }
  | { kind: "ended" };

/** Live events on their way to one reader; bounded, so that a slow reader costs nothing but itself. */
export interface EventTail {
  /** Number of the last stored event that this tail does not hand out. */
  readonly startSeq: number;
  /** What comes next; one call at a time. */
  next(): Promise<TailItem>;
  /** Ends the tail; a waiting `next` resolves with `ended`. */
  close(): void;
}

/** The writer's side of a tail. */
export interface TailWriter extends EventTail {
  /** Hands an event to the reader; never waits. */
  push(item: TailItem): void;
}

/** Makes a tail that begins behind a stored event; `onClose` is told once. */
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
      // A tail that lagged is done for: its reader goes on with a new one.
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
