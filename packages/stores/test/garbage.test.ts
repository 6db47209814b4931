import { readdir } from "node:fs/promises";
import type { RunStore } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { NODE_FILES, type Owner, observeFiles, openFileStore, type StoreFiles } from "../src/file/index.ts";
import { codeOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

const OLD = { status: "completed", finished_at: "2001-01-01T00:00:00.000Z" } as const;
const RESUMED = { status: "running", finished_at: undefined } as const;

/** Creates an owner of which other processes cannot determine whether it is alive. */
function stranger(token: string): Owner {
  return { token, livenessOf: () => "unknown" };
}

/** Opens a store in a process of which others know only the token. */
function open(directory: string, token: string, files?: StoreFiles): RunStore {
  const store = openFileStore({ directory, owner: stranger(token), files, leaseMs: 60 });
  // The failure is ignored, because a test may lose its lease.
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** Returns disk operations that call a function once, before a lease is taken. */
function beforeTaking(act: () => Promise<void>): StoreFiles {
  let isPending = true;
  return observeFiles(NODE_FILES, async ({ name, path }) => {
    if (!isPending || name !== "rename" || !path.includes(".lease-")) return;
    isPending = false;
    await act();
  });
}

test("a run that is resumed while it is collected is kept, and the next writer gets it immediately [D6]", async () => {
  const directory = await temporaryFolder();
  const other = open(directory, "other");
  const writer = await other.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  await writer.finish(sampleReport("run-1", { status: "completed" }), OLD);
  const resume = async (): Promise<void> => {
    const resumed = await other.acquire("run-1");
    await resumed.update(RESUMED);
    await resumed.append(sampleEvents(1, 2));
    await resumed.release();
  };
  const collector = open(directory, "collector", beforeTaking(resume));
  expect(await collector.collectGarbage({ before: Date.now() })).toEqual([]);
  expect((await other.show("run-1")).lease?.isHeld).toBe(false);
  const next = await other.acquire("run-1");
  expect([next.record.status, next.lastSeq]).toEqual(["running", 2]);
});

test("a run whose writer may be alive is kept if it is resumed, and the next writer copies its logs [D6] [D8]", async () => {
  const directory = await temporaryFolder();
  // The clock of the first writer does not advance, so it sends no heartbeat.
  const timer = { sleep: () => new Promise<void>(() => {}), monotonic: () => 0 };
  const stopped = openFileStore({ directory, owner: stranger("first"), timer });
  const first = await stopped.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  await first.append(sampleEvents(1, 2));
  await first.update(OLD);
  const collector = open(
    directory,
    "collector",
    beforeTaking(() => first.update(RESUMED)),
  );
  expect(await collector.collectGarbage({ before: Date.now() })).toEqual([]);
  expect((await readdir(first.folder)).filter((name) => name.startsWith(".lease-"))).toEqual([
    ".lease-2-collector.taking",
  ]);
  const next = await open(directory, "next").acquire("run-1");
  expect([next.record.status, next.lastSeq]).toEqual(["running", 2]);
  expect(await codeOf(first.append(sampleEvents(3, 3)))).toBe("store.stale_epoch");
  await next.append(sampleEvents(3, 4));
  expect(await seqsOf(next.events())).toEqual([1, 2, 3, 4]);
});
