import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunStore } from "@switchyard/contracts";
import {
  type CheckpointStoreSubject,
  checkpointStoreContract,
  documentStoreContract,
  type RunStoreSubject,
  runStoreContract,
} from "@switchyard/testkit";
import Database from "libsql";
import { describe, test } from "vitest";
import { openSqliteCheckpointStore, openSqliteStore } from "../src/sqlite/index.ts";
import { documentSubject } from "./document-subject.ts";

/** Time limit of a case. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

interface Scratch<Store> {
  readonly directory: string;
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

/** Creates a database for one case, which can be opened several times. */
async function scratchDatabase<Store extends { close(): Promise<void> }>(
  openAt: (directory: string) => Promise<Store>,
): Promise<Scratch<Store>> {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-contract-"));
  const opened: Store[] = [];
  return {
    directory,
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

/** Changes one byte in the newest line of the log with a given key. */
function damageLine(path: string, keyOf: string, id: string): void {
  const database = new Database(path);
  try {
    const found: unknown = database
      .prepare(`SELECT rowid, line FROM checkpoints WHERE id >> 32 = (${keyOf}) AND typeof(line) = 'blob'
        ORDER BY id DESC LIMIT 1`)
      .raw()
      .get([id]);
    const [rowid, line] = Array.isArray(found) ? found : [];
    const bytes = Buffer.from(line);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    database.prepare("UPDATE checkpoints SET line = ? WHERE rowid = ?").run([bytes, rowid]);
  } finally {
    database.close();
  }
}

async function sqliteCheckpointStore(): Promise<CheckpointStoreSubject> {
  const { directory, open, dispose } = await scratchDatabase((folder) =>
    openSqliteCheckpointStore({ path: join(folder, "checkpoints.db") }),
  );
  return {
    store: await open(),
    reopen: open,
    damage: (execId) =>
      damageLine(join(directory, "checkpoints.db"), "SELECT -key FROM saved_runs WHERE id = ?", execId),
    dispose,
  };
}

async function sqliteRunStore(): Promise<RunStoreSubject> {
  const { directory, open, dispose } = await scratchDatabase<RunStore>((folder) =>
    openSqliteStore({ path: join(folder, "runs.db"), leaseMs: 600 }),
  );
  return {
    store: await open(),
    reopen: open,
    damageCheckpoint: (runId) => damageLine(join(directory, "runs.db"), "SELECT key FROM runs WHERE id = ?", runId),
    dispose,
  };
}

describe("checkpoints in a database fulfil the contract", () => {
  for (const one of checkpointStoreContract) {
    test(one.title, ({ skip }) => one.run(sqliteCheckpointStore, { onSkip: skip, timeoutMs: CASE_MS }));
  }
});

describe("documents in a database fulfil the contract", () => {
  for (const one of documentStoreContract) {
    test(one.title, ({ skip }) => one.run(() => documentSubject(sqliteRunStore), { onSkip: skip, timeoutMs: CASE_MS }));
  }
});

describe("runs in a database fulfil the contract", () => {
  for (const one of runStoreContract)
    test(one.title, ({ skip }) => one.run(sqliteRunStore, { onSkip: skip, timeoutMs: CASE_MS }));
});
