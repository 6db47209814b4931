import { EngineError } from "@switchyard/contracts";

/** A waiting run. */
export interface WaitingRun {
  /** Id of the run. */
  readonly runId: string;
  /** Owner of the run. */
  readonly owner: string;
}

/** Position in the queue that is reserved while a run is being accepted. */
interface QueueSeat {
  /** Adds a run at the reserved position. */
  fill(runId: string): void;
  /** Releases the reserved position, unless a run was added at this position. */
  release(): void;
}

/** Maximum numbers of waiting runs, in total and per owner. */
export interface QueueLimits {
  /** Total. */
  readonly total: number;
  /** Per owner. */
  readonly perOwner: number;
}

/** Queue of waiting runs. It serves owners in turn, so that the runs of one owner do not delay those of another. */
export interface RunQueue {
  /** Reserves a position. Throws `server.queue_full`. */
  reserve(owner: string): QueueSeat;
  /** Adds an already accepted run, regardless of the limits. */
  push(run: WaitingRun): void;
  /** Removes and returns the next run whose owner may start a run. */
  next(mayStart: (owner: string) => boolean): WaitingRun | undefined;
  /** Removes a run. Returns true if the run was in the queue. */
  remove(runId: string): boolean;
  /** Number of waiting runs. */
  readonly size: number;
  /** True if the queue is full. */
  readonly isFull: boolean;
}

/** Creates an empty queue. */
export function createRunQueue({ total, perOwner }: QueueLimits): RunQueue {
  /**
   * Waiting runs by owner. The owner whose turn is next is first; an owner moves to the end after one of its runs was
   * taken.
   */
  const waiting = new Map<string, string[]>();
  const reserved = new Map<string, number>();
  const countOf = (owner: string): number => (waiting.get(owner)?.length ?? 0) + (reserved.get(owner) ?? 0);
  const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);
  const size = (): number => sum([...waiting.values()].map(({ length }) => length));

  function push({ owner, runId }: WaitingRun): void {
    const runs = waiting.get(owner);
    if (runs === undefined) waiting.set(owner, [runId]);
    else runs.push(runId);
  }
  const isFull = (): boolean => size() + sum(reserved.values()) >= total;
  return {
    get size() {
      return size();
    },
    get isFull() {
      return isFull();
    },
    push,
    reserve(owner) {
      if (isFull()) throw new EngineError("server.queue_full", { limit: total });
      if (countOf(owner) >= perOwner) throw new EngineError("server.queue_full", { limit: perOwner });
      reserved.set(owner, (reserved.get(owner) ?? 0) + 1);
      let isOpen = true;
      const release = (): void => {
        if (isOpen) reserved.set(owner, (reserved.get(owner) ?? 1) - 1);
        isOpen = false;
      };
      return {
        release,
        fill: (runId) => {
          release();
          push({ owner, runId });
        },
      };
    },
    next(mayStart) {
      for (const [owner, [runId, ...rest]] of waiting) {
        if (runId === undefined || !mayStart(owner)) continue;
        waiting.delete(owner);
        if (rest.length > 0) waiting.set(owner, rest);
        return { owner, runId };
      }
      return undefined;
    },
    remove(runId) {
      for (const [owner, runs] of waiting) {
        const rest = runs.filter((waitingId) => waitingId !== runId);
        if (rest.length === runs.length) continue;
        if (rest.length === 0) waiting.delete(owner);
        else waiting.set(owner, rest);
        return true;
      }
      return false;
    },
  };
}
