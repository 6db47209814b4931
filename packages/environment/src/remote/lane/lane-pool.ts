import type { Lane, LaneRequest, LaneResponse } from "./lane.ts";

/** Lanes for files: each answers one request after another, so a slow one must not hold up all. */
const MAX_LANES = 4;

/** Several lanes that are used as one. */
export interface LanePool extends AsyncDisposable {
  /** Asks the lane with the least to do; opens another one where all are busy. */
  ask(request: LaneRequest): Promise<LaneResponse>;
}

/** Makes a pool. Lanes are opened when they are needed, and anew when one has ended. */
export function createLanePool(open: () => Promise<Lane>): LanePool {
  let lanes: Lane[] = [];
  const opening = new Set<Promise<Lane>>();
  let waiting = 0;
  const openOne = async (): Promise<Lane> => {
    const pending = open();
    opening.add(pending);
    try {
      const lane = await pending;
      lanes.push(lane);
      return lane;
    } finally {
      opening.delete(pending);
    }
  };
  const pick = (): Promise<Lane> => {
    lanes = lanes.filter((lane) => lane.open);
    const [best] = [...lanes].sort((one, other) => one.pending - other.pending);
    if (best !== undefined && best.pending === 0) return Promise.resolve(best);
    if (lanes.length + opening.size < MAX_LANES && waiting >= opening.size) return openOne();
    return best === undefined ? Promise.race(opening) : Promise.resolve(best);
  };
  return {
    async ask(request) {
      waiting += 1;
      const lane = await pick().finally(() => {
        waiting -= 1;
      });
      return lane.ask(request);
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(opening);
      await Promise.all(lanes.map((lane) => lane[Symbol.asyncDispose]()));
    },
  };
}
