import assert from "node:assert/strict";
import type { Checkpoint, CheckpointDeleter, CheckpointLister, CheckpointStore } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** An empty checkpoint store that is used by one conformance case. */
export interface CheckpointStoreSubject {
  /** Store under test. */
  readonly store: CheckpointStore;
  /**
   * Opens a second store on the same data, to simulate another process. `undefined` if the data does not outlive the
   * process.
   */
  readonly reopen?: (() => Eventually<CheckpointStore>) | undefined;
  /** Corrupts the stored data of a run, to simulate a faulty disk. */
  readonly damage?: ((execId: string) => Eventually<void>) | undefined;
  /** Releases all resources. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/**
 * Creates an empty store. Returns the store, or an object with the store and optional operations for the conformance
 * cases.
 */
export type CheckpointStoreFactory = () => Eventually<CheckpointStore | CheckpointStoreSubject>;

/** Prepares the checkpoint store under test, which a factory creates. */
export async function openCheckpointStoreSubject(factory: CheckpointStoreFactory): Promise<CheckpointStoreSubject> {
  const created = await factory();
  return "store" in created ? created : { store: created };
}

/** Returns true if a store can list the runs that have checkpoints. */
export function isLister(store: CheckpointStore): store is CheckpointStore & CheckpointLister {
  return "list" in store && typeof store.list === "function";
}

/** Returns true if a store can delete the checkpoints of a run. */
export function isDeleter(store: CheckpointStore): store is CheckpointStore & CheckpointDeleter {
  return "delete" in store && typeof store.delete === "function";
}

/** Returns a checkpoint as plain data, for comparison. Fields that are `undefined` are omitted. */
function plain(checkpoint: Checkpoint): Record<string, unknown> {
  const { vars, channels = {} } = checkpoint.board;
  const fields = Object.entries(checkpoint).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(fields), board: { vars, channels } };
}

/** Asserts that two checkpoints are equal. */
export function assertCheckpoint(found: Checkpoint | undefined, expected: Checkpoint, message?: string): void {
  if (found === undefined) assert.fail(`${message ?? "The checkpoint"} is missing.`);
  assert.deepEqual(plain(found), plain(expected), message);
}
