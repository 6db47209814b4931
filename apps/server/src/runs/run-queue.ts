import { EngineError } from "@switchyard/contracts";

/** A run that waits for its turn. */
export interface WaitingRun {
  /** Id of the run. */
  readonly runId: string;
  /** Whose it is. */
  readonly owner: string;
}

/** A place in the queue for a run that is about to be accepted. */
interface QueueSeat {
  /** Takes the place. */
  fill(runId: string): void;
  /** Gives it back, where it was not taken. */
  release(): void;
}

/** How many runs may wait. */
export interface QueueLimits {
  /** All together. */
  readonly total: number;
  /** Of one owner. */
  readonly perOwner: number;
}

/** The runs that wait, in order; owners take turns, so that nobody waits for all runs of somebody else. */
export interface RunQueue {
  /** Keeps a place. Throws `server.queue_full`. */
  reserve(owner: string): QueueSeat;
  /** Adds a run that was accepted before, whatever the limits say. */
  push(run: WaitingRun): void;
  /** Takes the run whose turn it is, among the owners that may have one more. */
  next(mayStart: (owner: string) => boolean): WaitingRun | undefined;
  /** Takes a run out; says whether it waited. */
  remove(runId: string): boolean;
  /** Number of those that wait. */
  readonly size: number;
  /** Whether nobody may wait besides. */
  readonly isFull: boolean;
}

/** Makes an empty queue. */
export function createRunQueue({ total, perOwner }: QueueLimits): RunQueue {
  /** In the order of turns: whoever had one goes to the end. */
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
