import { mkdir, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { RunStore } from "@switchyard/contracts";
import { type ManualClock, manualClock } from "@switchyard/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { NODE_FILES, type Owner, observeFiles, openFileStore, type StoreFiles } from "../src/file/index.ts";
import { codeOf, refusalOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

const LEASE_MS = 10_000;
/** Number of checks within the lease time. */
const HEARTBEAT_CHECKS = 20;

/** Creates an owner of which other processes cannot determine whether it is alive. */
function stranger(token: string): Owner {
  return { token, livenessOf: () => "unknown" };
}

/** Opens a store in a process that cannot determine whether other processes are alive. */
function open(
  directory: string,
  token: string,
  more: { clock?: ManualClock; files?: StoreFiles; now?: () => number } = {},
): RunStore {
  const { clock = manualClock(), files, now = clock.now } = more;
  const store = openFileStore({ directory, owner: stranger(token), timer: clock, files, now, leaseMs: LEASE_MS });
  // The failure is ignored, because a test may have closed the store already.
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** Advances the clock until a promise is settled. Disk writes take real time. */
async function passTimeUntil(settled: Promise<unknown>, clock: ManualClock): Promise<void> {
  let isSettled = false;
  const done = (): void => {
    isSettled = true;
  };
  void settled.then(done, done);
  while (!isSettled) await clock.advance(clock.sleeping === 0 ? 0 : LEASE_MS / HEARTBEAT_CHECKS);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

describe("a writer without any known state", () => {
  test("keeps its lease as long as it sends heartbeats, whatever the wall clock says [D6] [D12]", async () => {
    const directory = await temporaryFolder();
    const [clock, wall] = [manualClock(), { ms: 1_000_000_000 }];
    const store = open(directory, "first", { clock, now: () => wall.ms });
    await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    for (const jumpMs of [0, 0, -999_000_000, 5_000_000_000]) {
      wall.ms += jumpMs;
      const refused = codeOf(open(directory, "second", { clock }).acquire("run-1"));
      await passTimeUntil(refused, clock);
      expect(await refused).toBe("run.leased");
    }
  });

  test("is taken over when it gave no sign of life for the time of a lease, and is refused from then on [D6]", async () => {
    const directory = await temporaryFolder();
    const stopped = await open(directory, "first").create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await stopped.append(sampleEvents(1, 2));
    const clock = manualClock();
    const started = clock.monotonic();
    const taken = open(directory, "second", { clock }).acquire("run-1");
    await passTimeUntil(taken, clock);
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(LEASE_MS);
    expect([(await taken).epoch, (await taken).lastSeq]).toEqual([2, 2]);
    expect(await codeOf(stopped.append(sampleEvents(3, 3)))).toBe("store.stale_epoch");
  });

  test("may undo its current write during a takeover: the new writer copies the rest [D6]", async () => {
    const directory = await temporaryFolder();
    const [written, copying] = [new AbortController(), new AbortController()];
    let isHeld = false;
    const slow: StoreFiles = {
      ...NODE_FILES,
      open: async (path, mode) => {
        const file = await NODE_FILES.open(path, mode);
        const write = async (bytes: Uint8Array): Promise<void> => {
          await file.write(bytes);
          if (!isHeld || !path.endsWith("events.jsonl")) return;
          written.abort();
          await aborted(copying.signal);
        };
        const { sync, truncate, close } = file;
        return { path, write, sync, truncate, close };
      },
    };
    const writer = await open(directory, "first", { files: slow }).create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.append(sampleEvents(1, 2));
    isHeld = true;
    const refused = codeOf(writer.append(sampleEvents(3, 9)));
    await aborted(written.signal);
    const files = observeFiles(NODE_FILES, async ({ name, path }) => {
      if (name !== "open" || !path.endsWith("events.jsonl")) return;
      copying.abort();
      await refused;
    });
    const taken = await open(directory, "second", { files }).acquire("run-1", { takeOver: true });
    expect(await refused).toBe("store.stale_epoch");
    expect(taken.lastSeq).toBe(2);
    await taken.append(sampleEvents(3, 3));
    expect(await seqsOf(open(directory, "third").events("run-1"))).toEqual([1, 2, 3]);
  });

  test("notices without a call that it was taken over [D6]", async () => {
    const directory = await temporaryFolder();
    const clock = manualClock();
    const writer = await open(directory, "first", { clock }).create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await open(directory, "second").acquire("run-1", { takeOver: true });
    await passTimeUntil(new Promise((resolve) => writer.signal.addEventListener("abort", resolve)), clock);
    expect(writer.signal.reason).toMatchObject({ code: "store.stale_epoch", details: { runId: "run-1", epoch: 1 } });
  });

  test("changes nothing on the disk once it knows that it was replaced [D6] [D8]", async () => {
    const directory = await temporaryFolder();
    const clock = manualClock();
    const operations: string[] = [];
    const files = observeFiles(NODE_FILES, ({ name }) => void operations.push(name));
    const writer = await open(directory, "first", { clock, files }).create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.append(sampleEvents(1, 1));
    await writer.save(sampleCheckpoint("run-1", 1));
    await open(directory, "second").acquire("run-1", { takeOver: true });
    await passTimeUntil(aborted(writer.signal), clock);
    operations.length = 0;
    expect(await codeOf(writer.append(sampleEvents(2, 2)))).toBe("store.stale_epoch");
    expect(await codeOf(writer.save(sampleCheckpoint("run-1", 2)))).toBe("store.stale_epoch");
    expect(await codeOf(writer.finish(sampleReport("run-1"), {}))).toBe("store.stale_epoch");
    expect(operations).toEqual([]);
  });

  test("is named in the error of a refused writer", async () => {
    const directory = await temporaryFolder();
    const store = openFileStore({ directory, owner: { token: "first", livenessOf: () => "alive" }, leaseMs: 30 });
    onTestFinished(() => store.close());
    await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const error = await refusalOf(store.acquire("run-1"));
    expect(error.message).toBe("Another process is working on the run run-1 (first).");
  });
});

describe("a takeover", () => {
  test("that was cut off at any operation is finished by the next writer [D2] [D6] [D8]", async () => {
    for (let boundary = 0, isComplete = false; !isComplete; boundary += 1) {
      const directory = await temporaryFolder();
      const old = await open(directory, "first").create(sampleRecord("run-1"), SAMPLE_REQUEST);
      await old.append(sampleEvents(1, 3));
      await old.save(sampleCheckpoint("run-1", "old"));
      let done = 0;
      const files = observeFiles(NODE_FILES, ({ name }) => {
        if (name !== "close" && done++ >= boundary) throw new Error("the process was killed");
      });
      const second = open(directory, "second", { files });
      isComplete = await second.acquire("run-1", { takeOver: true }).then(
        () => true,
        () => false,
      );
      const third = await open(directory, "third").acquire("run-1", { takeOver: true });
      expect(third.epoch).toBe(boundary === 0 ? 2 : 3);
      expect(third.lastSeq).toBe(3);
      expect((await third.load())?.board.vars).toEqual({ value: "old" });
      expect(await codeOf(old.save(sampleCheckpoint("run-1", "stale")))).toBe("store.stale_epoch");
      await third.append(sampleEvents(4, 4));
      expect(await seqsOf(open(directory, "reader").events("run-1"))).toEqual([1, 2, 3, 4]);
    }
  });

  test("puts the logs out of reach of a writer that is in the middle of a write [D6] [D8]", async () => {
    const directory = await temporaryFolder();
    let beforeWrite = async (): Promise<void> => {};
    const files: StoreFiles = {
      ...NODE_FILES,
      open: async (path, mode) => {
        const file = await NODE_FILES.open(path, mode);
        const write = async (bytes: Uint8Array): Promise<void> => {
          await beforeWrite();
          await file.write(bytes);
        };
        return { ...file, write };
      },
    };
    const old = await open(directory, "first", { files }).create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await old.append(sampleEvents(1, 1));
    await old.save(sampleCheckpoint("run-1", "old"));
    const second = open(directory, "second");
    // The old writer has checked that it holds the lease, and writes after it has lost the lease.
    for (const act of [() => old.append(sampleEvents(2, 2)), () => old.save(sampleCheckpoint("run-1", "stale"))]) {
      beforeWrite = async () => {
        beforeWrite = async () => {};
        await (await second.acquire("run-1", { takeOver: true })).release();
      };
      expect(await codeOf(act())).toBe("store.stale_epoch");
      expect(await seqsOf(second.events("run-1"))).toEqual([1]);
      expect((await second.load("run-1"))?.board.vars).toEqual({ value: "old" });
    }
  });

  test("delays readers until the copies are complete, so that they read only data that stays [D8]", async () => {
    const directory = await temporaryFolder();
    const store = open(directory, "first");
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.append(sampleEvents(1, 1));
    const lease = join(writer.folder, ".lease-1-first");
    const taking = join(writer.folder, ".lease-2-second.taking");
    await rename(lease, taking);
    const clock = manualClock();
    const read = seqsOf(open(directory, "reader", { clock }).events("run-1"));
    await expect.poll(() => clock.sleeping).toBe(1);
    await rename(taking, join(writer.folder, ".lease-2-second"));
    await clock.advance(10);
    expect(await read).toEqual([1]);
  });
});

test("a released writer leaves no file open, also after another call to save", async () => {
  const directory = await temporaryFolder();
  let openFiles = 0;
  const files: StoreFiles = {
    ...NODE_FILES,
    open: async (path, mode) => {
      const file = await NODE_FILES.open(path, mode);
      openFiles += 1;
      const close = async (): Promise<void> => {
        openFiles -= 1;
        await file.close();
      };
      return { ...file, close };
    },
  };
  const writer = await open(directory, "first", { files }).create(sampleRecord("run-1"), SAMPLE_REQUEST);
  await writer.save(sampleCheckpoint("run-1", 1));
  await writer.append(sampleEvents(1, 1));
  expect(openFiles).toBe(2);
  await writer.release();
  expect(openFiles).toBe(0);
  expect(await codeOf(writer.save(sampleCheckpoint("run-1", 2)))).toBe("store.stale_epoch");
  expect(await codeOf(writer.append(sampleEvents(2, 2)))).toBe("store.stale_epoch");
  expect(openFiles).toBe(0);
  // The lease was released, not lost.
  expect(writer.signal.aborted).toBe(false);
});

describe("a lease folder", () => {
  test("with the highest number applies, and its content passes to the next writer [D6]", async () => {
    const directory = await temporaryFolder();
    const store = open(directory, "first");
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.release();
    await rename(join(writer.folder, ".lease-1"), join(writer.folder, ".lease-12"));
    await mkdir(join(writer.folder, ".lease-3"));
    await mkdir(join(writer.folder, ".lease-12", "run.json"));
    const next = await store.acquire("run-1");
    expect(next.epoch).toBe(13);
    await next.update({ attempt: 2 });
    expect(await readdir(join(writer.folder, ".lease-13-first"))).toEqual([]);
  });

  test("of a holder that died on another machine is free after the lease time, whatever its date [D12]", async () => {
    const directory = await temporaryFolder();
    const writer = await open(directory, "first").create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const lease = join(writer.folder, ".lease-1-first");
    for (const seconds of [1, 4_000_000_000]) {
      await utimes(lease, seconds, seconds);
      const clock = manualClock();
      const giveUp = new AbortController();
      const waiting = open(directory, "second", { clock }).acquire("run-1", { signal: giveUp.signal });
      const outcome = waiting.then(
        () => "taken",
        () => "gave up",
      );
      await expect.poll(() => clock.sleeping).toBe(1);
      await clock.advance(LEASE_MS / 2);
      giveUp.abort();
      expect(await outcome).toBe("gave up");
    }
    await rm(lease, { recursive: true });
  });
});
