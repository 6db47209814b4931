import assert from "node:assert/strict";
import type { Checkpoint, CheckpointDeleter, CheckpointLister, CheckpointStore } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** A store as the cases get it: empty, and of the case alone. */
export interface CheckpointStoreSubject {
  /** The store. */
  readonly store: CheckpointStore;
  /** The same checkpoints as another process finds them; for stores that outlive theirs. */
  readonly reopen?: (() => Eventually<CheckpointStore>) | undefined;
  /** Damages what is kept of a run, as a bad disk would. */
  readonly damage?: ((execId: string) => Eventually<void>) | undefined;
  /** Gives everything back. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Makes an empty store, alone or with what more a case may do to it. */
export type CheckpointStoreFactory = () => Eventually<CheckpointStore | CheckpointStoreSubject>;

/** The subject of a factory. */
export async function openCheckpointStoreSubject(factory: CheckpointStoreFactory): Promise<CheckpointStoreSubject> {
  const made = await factory();
  return "store" in made ? made : { store: made };
}

/** Whether a store can list. */
export function isLister(store: CheckpointStore): store is CheckpointStore & CheckpointLister {
  return "list" in store && typeof store.list === "function";
}

/** Whether a store can delete. */
export function isDeleter(store: CheckpointStore): store is CheckpointStore & CheckpointDeleter {
  return "delete" in store && typeof store.delete === "function";
}

/** A checkpoint without fields that are absent, its board listed. */
function plain(checkpoint: Checkpoint): Record<string, unknown> {
  const { vars, channels = {} } = checkpoint.board;
  const fields = Object.entries(checkpoint).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(fields), board: { vars, channels } };
}

/** Fails unless both are the same checkpoint. */
export function assertCheckpoint(found: Checkpoint | undefined, expected: Checkpoint, message?: string): void {
  if (found === undefined) assert.fail(`${message ?? "The checkpoint"}: there is none.`);
  assert.deepEqual(plain(found), plain(expected), message);
}
