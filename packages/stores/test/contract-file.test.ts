import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
import { describe, test } from "vitest";
import { openFileCheckpointStore, openFileStore, RUN_FILES, RUNS_FOLDER } from "../src/file/index.ts";
import { documentSubject } from "./document-subject.ts";

/** Time limit of a case. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

async function scratchFolder(): Promise<{ directory: string; dispose: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-contract-"));
  return { directory, dispose: () => rm(directory, { recursive: true, force: true }) };
}

/** Changes one byte in the middle of a file. */
async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

async function fileCheckpointStore(): Promise<CheckpointStoreSubject> {
  const { directory, dispose } = await scratchFolder();
  const open = (): ReturnType<typeof openFileCheckpointStore> => openFileCheckpointStore({ directory });
  return { store: open(), reopen: open, damage: (execId) => flipByte(join(directory, `${execId}.jsonl`)), dispose };
}

async function fileRunStore(): Promise<RunStoreSubject> {
  const { directory, dispose } = await scratchFolder();
  // Stores of this process. Its leases count as held only while heartbeats are sent.
  const opened: RunStore[] = [];
  const open = (): RunStore => {
    const store = openFileStore({ directory, leaseMs: 600 });
    opened.push(store);
    return store;
  };
  const damageCheckpoint = async (runId: string): Promise<void> => {
    const folder = join(directory, RUNS_FOLDER, runId, RUN_FILES.checkpoints);
    for (const name of await readdir(folder)) await flipByte(join(folder, name));
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.map((store) => store.close()));
    await dispose();
  };
  return { store: open(), reopen: open, damageCheckpoint, dispose: closeAll };
}

describe("checkpoints in files fulfil the contract", () => {
  for (const one of checkpointStoreContract) {
    test(one.title, ({ skip }) => one.run(fileCheckpointStore, { onSkip: skip, timeoutMs: CASE_MS }));
  }
});

describe("documents in files fulfil the contract", () => {
  for (const one of documentStoreContract) {
    test(one.title, ({ skip }) => one.run(() => documentSubject(fileRunStore), { onSkip: skip, timeoutMs: CASE_MS }));
  }
});

describe("runs in files fulfil the contract", () => {
  for (const one of runStoreContract)
    test(one.title, ({ skip }) => one.run(fileRunStore, { onSkip: skip, timeoutMs: CASE_MS }));
});
