import type { Checkpoint, CheckpointStore } from "@switchyard/contracts";

/** Stores a copy of the newest checkpoint of each run in memory, and returns copies. */
export function createMapStore(): CheckpointStore {
  const checkpoints = new Map<string, Checkpoint>();
  return {
    save: async ({ board: { vars, channels }, ...rest }) => {
      checkpoints.set(rest.execId, structuredClone({ ...rest, board: { vars, channels } }));
    },
    load: async (execId) => structuredClone(checkpoints.get(execId)),
  };
}
