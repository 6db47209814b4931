/** Maximum time to block the event loop, in milliseconds. */
const TURN_MS = 8;

/** Splits long synchronous work into time slices. */
export interface TimeSlicer {
  /**
   * Returns whether the time slice is over, so that the caller must await `next`. Fast enough to be called for each
   * line or entry.
   */
  isOver(): boolean;
  /**
   * Starts a new time slice in the next turn of the event loop. Rejects with the abort reason if the signal has fired.
   */
  next(): Promise<void>;
}

/** Creates a time slicer and starts the first time slice. */
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
