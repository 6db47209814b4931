import type { CheckpointStore } from "@switchyard/contracts";

/** A store that drops every checkpoint and never has one. engine: NoopCheckpointStore. */
export function noopCheckpointStore(): CheckpointStore {
  return { save: async () => {}, load: async () => undefined };
}
