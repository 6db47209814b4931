import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunStore } from "@switchyard/contracts";
import {
  type CheckpointStoreSubject,
  checkpointStoreContract,
  type RunStoreSubject,
  runStoreContract,
} from "@switchyard/testkit";
import { describe, test } from "vitest";
import { openSqliteCheckpointStore, openSqliteStore } from "../src/sqlite/index.ts";

interface Scratch<Store> {
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

/** A database of one case, opened any number of times. */
async function scratchDatabase<Store extends { close(): Promise<void> }>(
  openAt: (directory: string) => Promise<Store>,
): Promise<Scratch<Store>> {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-contract-"));
  const opened: Store[] = [];
  return {
    open: async () => {
      const store = await openAt(directory);
      opened.push(store);
      return store;
    },
    dispose: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function sqliteCheckpointStore(): Promise<CheckpointStoreSubject> {
  const { open, dispose } = await scratchDatabase((directory) =>
    openSqliteCheckpointStore({ path: join(directory, "checkpoints.db") }),
  );
  return { store: await open(), reopen: open, dispose };
}

async function sqliteRunStore(): Promise<RunStoreSubject> {
  const { open, dispose } = await scratchDatabase<RunStore>((directory) =>
    openSqliteStore({ path: join(directory, "runs.db"), leaseMs: 600 }),
  );
  return { store: await open(), reopen: open, dispose };
}

describe("checkpoints in a database keep the contract", () => {
  for (const one of checkpointStoreContract) {
    test(one.title, ({ skip }) => one.run(sqliteCheckpointStore, { onSkip: skip }));
  }
});

describe("runs in a database keep the contract", () => {
  for (const one of runStoreContract) test(one.title, ({ skip }) => one.run(sqliteRunStore, { onSkip: skip }));
});
