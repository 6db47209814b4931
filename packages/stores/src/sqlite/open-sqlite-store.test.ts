import { existsSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunStore, RunWriter } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import type { Owner } from "@switchyard/process-owner";
import Database from "libsql";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeOf, seqsOf, temporaryFolder } from "../../test/outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "../../test/run-samples.ts";
import type { StoreTimer } from "../owner/store-timer.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./index.ts";

async function open(options: SqliteStoreOptions): Promise<RunStore> {
  const store = await openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

function create(store: RunStore, runId: string): Promise<RunWriter> {
  return store.create(sampleRecord(runId), SAMPLE_REQUEST);
}

/** Creates an owner of which other processes cannot determine whether it is alive. */
function strangeOwner(token: string): Owner {
  return { token, livenessOf: () => "unknown" };
}

/** Creates a timer whose time advances with each foreground sleep. Background sleeps never end. */
function foregroundTimer(): StoreTimer & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    monotonic: () => slept.reduce((sum, ms) => sum + ms, 0),
    sleep: async (durationMs, { isBackground = false } = {}) => {
      if (isBackground) await new Promise(() => undefined);
      slept.push(durationMs);
    },
  };
}

describe("files", () => {
  test("database, folders and files are made on demand, for their owner only", async () => {
    const path = join(await temporaryFolder(), "state", "deep", "runs.db");
    const store = await open({ path });
    const writer = await create(store, "run-1");
    expect(writer.folder).toBe(join(`${path}.files`, "run-1"));
    const modes = await Promise.all([path, `${path}-wal`, writer.folder].map(async (file) => (await stat(file)).mode));
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(["600", "600", "700"]);
    expect(store.durability).toBe("power");
    // No temporary file of the creation is left.
    const names = await readdir(join(path, ".."));
    expect(names.filter((name) => !name.startsWith("runs.db"))).toEqual([]);
    expect(names.filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("many who open a database that is not there yet share the one", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const stores = await Promise.all(Array.from({ length: 6 }, () => open({ path })));
    await Promise.all(stores.map((store, index) => create(store, `run-${index}`)));
    for (const store of stores) expect(await store.list()).toHaveLength(6);
  });

  test("deleting and collecting remove the files of the run, and of no other run", async () => {
    const folder = await temporaryFolder();
    const filesDirectory = join(folder, "files");
    const store = await open({ path: join(folder, "runs.db"), filesDirectory });
    for (const runId of ["one", "two", "three"]) {
      const writer = await create(store, runId);
      await mkdir(join(writer.folder, "artifacts"));
      await writeFile(join(writer.folder, "artifacts", "result.txt"), runId);
      const at = { status: "completed", finished_at: "2026-01-01T00:00:00.000Z" } as const;
      await (runId === "three" ? writer.release() : writer.finish(sampleReport(runId), at));
    }
    await store.delete("one");
    expect((await readdir(filesDirectory)).sort()).toEqual(["three", "two"]);
    expect(await store.collectGarbage({ before: Date.now() })).toEqual(["two"]);
    expect(await readdir(filesDirectory)).toEqual(["three"]);
    // A removed folder is created again.
    const writer = await store.acquire("three");
    expect(existsSync(writer.folder)).toBe(true);
  });
});

describe("leases", () => {
  test("a writer whose process is dead is replaced at once [D6]", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const dead = await open({ path, owner: strangeOwner("dead") });
    await create(dead, "run-1");
    const timer = foregroundTimer();
    const store = await open({ path, timer, owner: { token: "living", livenessOf: () => "dead" } });
    expect((await store.show("run-1")).lease).toEqual({ epoch: 1, isHeld: false });
    expect((await store.acquire("run-1")).epoch).toBe(2);
    expect(timer.slept).toEqual([]);
  });

  test("a writer that gives no sign of life for the time of a lease is replaced, not earlier [D6] [D12]", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const silent = await open({ path, owner: strangeOwner("silent"), timer: foregroundTimer() });
    const old = await create(silent, "run-1");
    const timer = foregroundTimer();
    const store = await open({ path, timer, owner: strangeOwner("next"), leaseMs: 1_000 });
    expect((await store.show("run-1")).lease).toEqual({ epoch: 1, isHeld: true });
    const writer = await store.acquire("run-1");
    expect([writer.epoch, timer.monotonic()]).toEqual([2, 1_000]);
    expect(await codeOf(old.append(sampleEvents(1, 1)))).toBe("store.stale_epoch");
  });

  test("a writer with heartbeats keeps its run, and waiting can be cancelled [D6]", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const busy = await open({ path, owner: strangeOwner("busy"), leaseMs: 30 });
    const writer = await create(busy, "run-1");
    const store = await open({ path, owner: strangeOwner("next"), leaseMs: 600 });
    expect(await codeOf(store.acquire("run-1"))).toBe("run.leased");
    await writer.append(sampleEvents(1, 1));
    const given = new AbortController();
    const reason = new Error("given up");
    given.abort(reason);
    await expect(store.acquire("run-1", { signal: given.signal })).rejects.toBe(reason);
  });

  test("a writer learns of its replacement although it writes nothing [D6]", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const first = await open({ path, owner: strangeOwner("first"), leaseMs: 30 });
    const old = await create(first, "run-1");
    const noticed = new Promise((resolve) => old.signal.addEventListener("abort", resolve));
    const second = await open({ path, owner: strangeOwner("second") });
    await second.acquire("run-1", { takeOver: true });
    await noticed;
    expect(old.signal.reason).toMatchObject({ code: "store.stale_epoch" });
  });

  test("closing gives all leases back, and writers of a closed store are refused", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const first = await open({ path, owner: strangeOwner("first") });
    const writers = await Promise.all(["run-1", "run-2"].map((runId) => create(first, runId)));
    await first.close();
    for (const writer of writers) expect(await codeOf(writer.update({ title: "late" }))).toBe("store.stale_epoch");
    expect(await codeOf(first.list())).toBe("run.store_failed");
    const second = await open({ path, owner: strangeOwner("second"), timer: foregroundTimer() });
    for (const runId of ["run-1", "run-2"]) expect((await second.acquire(runId)).epoch).toBe(2);
  });

  test("a run that was acquired and released since it was found old is not collected", async () => {
    const path = join(await temporaryFolder(), "runs.db");
    const store = await open({ path });
    const finished = { status: "completed", finished_at: "2026-01-01T00:00:00.000Z" } as const;
    await (await create(store, "run-1")).finish(sampleReport("run-1"), finished);
    const collecting = store.collectGarbage({ before: Date.now() });
    const writer = await store.acquire("run-1").catch(() => undefined);
    const removed = await collecting;
    // Either the run was removed, or its writer can continue.
    if (writer === undefined) expect(removed).toEqual(["run-1"]);
    else {
      expect(removed).toEqual([]);
      await writer.append(sampleEvents(1, 1));
    }
  });
});

test("one hundred concurrent sessions all find the state that they saved [D2] [D8]", async () => {
  const path = join(await temporaryFolder(), "runs.db");
  const store = await open({ path });
  const ids = Array.from({ length: 100 }, (_, index) => `run-${index}`);
  await Promise.all(
    ids.map(async (runId, index) => {
      const writer = await create(store, runId);
      const board = createBoard();
      for (let step = 1; step <= 10; step += 1) {
        board.appendSliceVar("steps", `${index}.${step}`);
        await writer.append(sampleEvents(step, step));
        await writer.save({ ...sampleCheckpoint(runId, 0), board: board.snapshot(), iteration: step });
      }
      if (index % 2 === 0) await writer.finish(sampleReport(runId), { status: "completed" });
    }),
  );
  await store.close();
  const next = await open({ path });
  expect(await next.list()).toHaveLength(100);
  for (const [index, runId] of ids.entries()) {
    const loaded = await next.load(runId);
    expect(loaded?.iteration).toBe(10);
    expect(loaded?.board.vars["steps"]).toEqual(Array.from({ length: 10 }, (_, step) => `${index}.${step + 1}`));
    expect(await seqsOf(next.events(runId))).toHaveLength(10);
    expect((await next.show(runId)).record?.status).toBe(index % 2 === 0 ? "completed" : "running");
  }
});

test("data that nothing depends on is removed in time, and at the end of a run", async () => {
  const path = join(await temporaryFolder(), "runs.db");
  const store = await open({ path });
  const writer = await create(store, "run-1");
  const change = "x".repeat(2 ** 20);
  for (let step = 1; step <= 80; step += 1) {
    await writer.save(sampleCheckpoint("run-1", `${step}${change}`, { iteration: step }));
  }
  const reader = new Database(path);
  onTestFinished(() => void reader.close());
  const numberOf = (sql: string): number => Number(reader.prepare(sql).raw().get());
  // Up to 32 MiB of superseded lines may remain.
  expect(numberOf("SELECT count(*) FROM checkpoints")).toBeLessThan(60);
  expect((await writer.load())?.iteration).toBe(80);
  await writer.finish(sampleReport("run-1"), { status: "completed" });
  const least = numberOf("SELECT min(id) & 0xffffffff FROM checkpoints");
  expect(least).toBe(numberOf("SELECT first_line FROM checkpoint_logs"));
});

test("the lines of runs stay apart after a billion runs", async () => {
  const path = join(await temporaryFolder(), "runs.db");
  const store = await open({ path });
  await (await create(store, "first")).release();
  const database = new Database(path);
  database.exec(`UPDATE sqlite_sequence SET seq = ${2 ** 30} WHERE name = 'runs'`);
  database.close();
  for (const runId of ["later", "last"]) {
    const writer = await create(store, runId);
    const board = createBoard();
    for (let step = 1; step <= 12; step += 1) {
      board.appendSliceVar("steps", `${runId} ${step}`);
      await writer.save({ ...sampleCheckpoint(runId, 0), board: board.snapshot(), iteration: step });
    }
  }
  for (const runId of ["later", "last"]) {
    const loaded = await store.load(runId);
    expect(loaded?.board.vars["steps"]).toEqual(Array.from({ length: 12 }, (_, step) => `${runId} ${step + 1}`));
  }
  await store.delete("first");
  expect((await store.load("last"))?.iteration).toBe(12);
});

test("thousands of runs are listed in order, each with its record", async () => {
  const path = join(await temporaryFolder(), "runs.db");
  const store = await open({ path });
  const count = 2_000;
  const createdAt = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
  for (let from = 0; from < count; from += 500) {
    await Promise.all(
      Array.from({ length: 500 }, async (_, offset) => {
        const index = from + offset;
        await store.create(sampleRecord(`run-${index}`, { created_at: createdAt(index) }), SAMPLE_REQUEST);
      }),
    );
  }
  const listed = await store.list();
  expect(listed.map(({ runId }) => runId)).toEqual(
    Array.from({ length: count }, (_, index) => `run-${count - 1 - index}`),
  );
});
