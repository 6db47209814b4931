/** Longest time that work holds the event loop. */
const TURN_MS = 8;

/** Lets others have their turn while much is done. */
export interface TimeSlicer {
  /** Whether it is time to call `next`: cheap, so that it can be asked for each line or entry. */
  isOver(): boolean;
  /** Resolves in the next turn of the event loop. Throws the reason of the signal when that has fired. */
  next(): Promise<void>;
}

/** Begins the first turn. */
export function createTimeSlicer(signal?: AbortSignal | undefined): TimeSlicer {
  let endsAt = performance.now() + TURN_MS;
  return {
    isOver: () => performance.now() >= endsAt,
    async next() {
      await new Promise<void>((resolve) => {
        // Browsers have no setImmediate.
        if (typeof setImmediate === "function") setImmediate(resolve);
        else setTimeout(resolve, 0);
      });
      signal?.throwIfAborted();
      endsAt = performance.now() + TURN_MS;
    },
  };
}
