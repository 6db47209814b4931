import type { CheckpointStore } from "@switchyard/contracts";

/** Returns a store that discards every checkpoint. See engine: NoopCheckpointStore. */
export function noopCheckpointStore(): CheckpointStore {
  return { save: async () => {}, load: async () => undefined };
}
