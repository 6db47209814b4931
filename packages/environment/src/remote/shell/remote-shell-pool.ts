import type { Lane, LaneRequest, LaneResponse } from "./remote-shell.ts";

/**
 * Maximum number of remote shells that handle file requests. Each shell handles one request at a time. With several
 * shells, a slow request does not block all others.
 */
const MAX_LANES = 4;

/** A pool of remote shells (lanes) that handle file requests. */
export interface LanePool extends AsyncDisposable {
  /**
   * Sends a request to the remote shell with the fewest pending requests. Starts another shell if all are busy and the
   * maximum is not reached.
   */
  ask(request: LaneRequest): Promise<LaneResponse>;
}

/** Creates a pool of remote shells (lanes). A shell is started when it is needed, and restarted if it has exited. */
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
