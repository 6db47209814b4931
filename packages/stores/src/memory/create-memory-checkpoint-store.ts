import type { CheckpointDeleter, CheckpointLister, CheckpointStore } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import { createCheckpointEncoder } from "../codec/create-checkpoint-encoder.ts";
import { decodeCheckpoint } from "../codec/decode-checkpoint.ts";
import { withoutLineEnd } from "../codec/line-bytes.ts";

/** A store of checkpoints, without runs and leases. It can list and delete checkpoints. */
export type MemoryCheckpointStore = CheckpointStore & CheckpointLister & CheckpointDeleter;

/**
 * Creates an in-memory store of checkpoints, for tests. Stored checkpoints are copies, so callers cannot change them.
 * See engine: CheckpointStore.
 */
export function createMemoryCheckpointStore(): MemoryCheckpointStore {
  const checkpoints = new Map<string, { order: number; lines: readonly Uint8Array[] }>();
  let calls = 0;
  return {
    save: async (checkpoint) => {
      assertRunId(checkpoint.execId);
      calls += 1;
      const order = calls;
      const { lines } = await createCheckpointEncoder(checkpoint.execId).encode(checkpoint);
      // If an earlier save takes longer than a later one, it must not replace the later checkpoint.
      if ((checkpoints.get(checkpoint.execId)?.order ?? 0) < order)
        checkpoints.set(checkpoint.execId, { order, lines: lines.map(withoutLineEnd) });
    },
    load: async (execId) => {
      assertRunId(execId);
      const found = checkpoints.get(execId);
      if (found === undefined) return undefined;
      return (await decodeCheckpoint(found.lines, { runId: execId, path: `memory:${execId}` })).checkpoint;
    },
    list: async () => [...checkpoints.keys()].sort(),
    delete: async (execId) => {
      checkpoints.delete(execId);
    },
  };
}
