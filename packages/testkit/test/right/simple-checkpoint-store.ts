import type { Checkpoint, CheckpointDeleter, CheckpointLister, CheckpointStore } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { CheckpointStoreSubject } from "../../src/index.ts";

/** Data of a simple store. It survives the store, as a disk does. */
export type Disk = Map<string, Checkpoint | "damaged">;

/** The interface with both of its extensions. */
export type FullStore = CheckpointStore & CheckpointLister & CheckpointDeleter;

/** A correct store on a separate disk. */
export function simpleCheckpointStore(disk: Disk = new Map()): FullStore {
  return {
    save: async (checkpoint) => {
      const { board } = checkpoint;
      disk.set(
        checkpoint.execId,
        structuredClone({ ...checkpoint, board: { vars: board.vars, channels: board.channels } }),
      );
    },
    load: async (execId) => {
      const stored = disk.get(execId);
      if (stored === "damaged") throw new EngineError("checkpoint.corrupt", { path: execId, problem: "it is damaged" });
      return structuredClone(stored);
    },
    list: async () => [...disk.keys()],
    delete: async (execId) => {
      disk.delete(execId);
    },
  };
}

/** The same store with all operations that a case may use. */
export function simpleStoreSubject(
  change: (right: FullStore, disk: Disk) => CheckpointStore = (store) => store,
): CheckpointStoreSubject {
  const disk: Disk = new Map();
  return {
    store: change(simpleCheckpointStore(disk), disk),
    reopen: () => change(simpleCheckpointStore(disk), disk),
    damage: (execId) => {
      disk.set(execId, "damaged");
    },
  };
}

/** The same store, but saving takes a while, during which the previous checkpoint is loaded. */
export function savingSlowly(store: FullStore): FullStore {
  return {
    ...store,
    save: async (checkpoint) => {
      const copy = structuredClone(checkpoint);
      await new Promise((resolve) => setImmediate(resolve));
      await store.save(copy);
    },
  };
}
