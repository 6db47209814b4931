import type { Lane, LaneRequest, LaneResponse } from "./lane.ts";

/** Maximum number of file lanes. Each handles one request at a time, so a slow request must not block all others. */
const MAX_LANES = 4;

/** Several lanes used as one. */
export interface LanePool extends AsyncDisposable {
  /** Sends a request to the lane with the fewest pending requests. Opens another lane if all are busy. */
  ask(request: LaneRequest): Promise<LaneResponse>;
}

/** Creates a pool. Lanes are opened on demand, and reopened after they have ended. */
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
