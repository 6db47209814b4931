import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunStore, RunWriter } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { openFileCheckpointStore, openFileStore } from "../src/file/index.ts";
import { type FaultFiles, faultFiles, systemError } from "./fault-files.ts";
import { codeOf, refusalOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

async function openFaulty(): Promise<{ store: RunStore; files: FaultFiles; directory: string; reader: RunStore }> {
  const directory = await temporaryFolder();
  const files = faultFiles();
  const store = openFileStore({ directory, files, leaseMs: 200 });
  onTestFinished(async () => {
    files.fail = undefined;
    await store.close();
  });
  return { store, files, directory, reader: openFileStore({ directory }) };
}

/** Returns a function that saves a board, which grows by one value each time. */
function growing(writer: RunWriter): (value: unknown) => Promise<void> {
  const board = createBoard();
  return (value) => {
    board.appendSliceVar("values", value);
    return writer.save({ ...sampleCheckpoint("run-1", 0), board: board.snapshot() });
  };
}

async function valuesOf(store: RunStore): Promise<unknown> {
  return (await store.load("run-1"))?.board.vars["values"];
}

describe("a disk that fails", () => {
  test("when it is full a save is refused, the one before loads, and the next one works [D2]", async () => {
    const { store, files, reader } = await openFaulty();
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const save = growing(writer);
    await save(1);
    await save(2);
    files.fail = ({ name }) => (name === "write" ? systemError("ENOSPC") : undefined);
    const error = await refusalOf(save(3));
    expect([error.code, error.message]).toEqual(["run.store_failed", expect.stringContaining("ENOSPC")]);
    expect(await valuesOf(reader)).toEqual([1, 2]);
    files.fail = undefined;
    await save(4);
    expect(await valuesOf(reader)).toEqual([1, 2, 3, 4]);
    expect(await readdir(join(writer.folder, "checkpoints"))).toEqual(["1.jsonl"]);
  });

  test("when it becomes full during a write, nothing of the write remains [D2] [D8]", async () => {
    const { store, files, directory } = await openFaulty();
    const base = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await base.release();
    let isFull = false;
    const tearing = openFileStore({
      directory,
      files: {
        ...files,
        open: async (path, mode) => {
          const file = await files.open(path, mode);
          const write = async (bytes: Uint8Array): Promise<void> => {
            await file.write(isFull ? bytes.subarray(0, 10) : bytes);
            if (isFull) throw systemError("ENOSPC");
          };
          return { ...file, write };
        },
      },
    });
    const writer = await tearing.acquire("run-1");
    const save = growing(writer);
    await save(1);
    await save(2);
    await writer.append(sampleEvents(1, 1));
    isFull = true;
    expect(await codeOf(save(3))).toBe("run.store_failed");
    expect(await codeOf(writer.append(sampleEvents(2, 2)))).toBe("run.store_failed");
    expect(writer.lastSeq).toBe(1);
    isFull = false;
    for (const name of ["events.jsonl", "checkpoints/1.jsonl"]) {
      expect((await readFile(join(writer.folder, name), "utf8")).endsWith('"}\n')).toBe(true);
    }
    // If a partial write cannot be undone, the logs are created again.
    isFull = true;
    files.fail = ({ name }) => (name === "truncate" ? systemError("EIO") : undefined);
    expect(await codeOf(save(4))).toBe("run.store_failed");
    expect(await codeOf(writer.append(sampleEvents(2, 2)))).toBe("run.store_failed");
    expect(await valuesOf(tearing)).toEqual([1, 2]);
    // The disk is also too full for a copy of the events.
    expect(await codeOf(writer.append(sampleEvents(2, 2)))).toBe("run.store_failed");
    isFull = false;
    files.fail = undefined;
    await save(5);
    await writer.append(sampleEvents(2, 3));
    expect(await valuesOf(tearing)).toEqual([1, 2, 3, 4, 5]);
    expect(await readdir(join(writer.folder, "checkpoints"))).toEqual(["2.jsonl"]);
    expect(await seqsOf(tearing.events("run-1"))).toEqual([1, 2, 3]);
    await tearing.close();
  });

  test("after a failed flush the save is rejected, and the next save does not trust the written data [D2]", async () => {
    const { store, files, reader } = await openFaulty();
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const save = growing(writer);
    await save(1);
    await save(2);
    files.fail = ({ name }) => (name === "sync" ? systemError("EIO") : undefined);
    expect(await codeOf(save(3))).toBe("run.store_failed");
    expect(await valuesOf(reader)).toEqual([1, 2]);
    files.fail = undefined;
    files.operations.length = 0;
    await save(4);
    expect(files.operations.map(({ name }) => name)).toEqual([
      "close",
      "open",
      "write",
      "sync",
      "rename",
      "syncFolder",
      "remove",
    ]);
    expect(await valuesOf(reader)).toEqual([1, 2, 3, 4]);
  });

  test("for any failure while the first checkpoint is saved, the next save succeeds [D2]", async () => {
    for (const failing of ["makeFolder", "open", "write", "sync", "rename", "syncFolder"]) {
      const { store, files, reader } = await openFaulty();
      const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
      files.fail = ({ name }) => (name === failing ? systemError("EIO") : undefined);
      expect(await codeOf(writer.save(sampleCheckpoint("run-1", 1)))).toBe("run.store_failed");
      files.fail = undefined;
      await writer.save(sampleCheckpoint("run-1", 2));
      expect((await reader.load("run-1"))?.board.vars).toEqual({ value: 2 });
      await writer.save(sampleCheckpoint("run-1", 3));
      await writer.finish(sampleReport("run-1"), {});
      expect((await reader.load("run-1"))?.board.vars).toEqual({ value: 3 });
    }
  });

  test("a record that cannot be replaced stays unchanged, and no other file remains [D3]", async () => {
    for (const failing of ["open", "write", "sync", "rename", "syncFolder"]) {
      const { store, files, reader } = await openFaulty();
      const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
      files.fail = ({ name }) => (name === failing ? systemError("EIO") : undefined);
      expect(await codeOf(writer.update({ status: "queued" }))).toBe("run.store_failed");
      if (failing !== "syncFolder") expect((await reader.show("run-1")).record?.status).toBe("running");
      files.fail = undefined;
      await writer.update({ status: "awaiting_input" });
      await writer.release();
      expect((await reader.show("run-1")).record?.status).toBe("awaiting_input");
      expect(await readdir(join(writer.folder, ".lease-1"))).toEqual([]);
    }
  });

  test("a run that cannot be stored is not accepted, and its id stays free [D1]", async () => {
    const { store, files, directory } = await openFaulty();
    for (const failing of ["makeFolder", "open", "write", "sync", "rename", "syncFolder"]) {
      files.fail = ({ name }) => (name === failing ? systemError("ENOSPC") : undefined);
      const error = await refusalOf(store.create(sampleRecord("run-1"), SAMPLE_REQUEST));
      expect([error.code, error.remedy]).toEqual(["run.store_failed", expect.stringContaining("Free disk space")]);
      files.fail = undefined;
      expect(await store.list()).toEqual([]);
    }
    await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    expect(await readdir(join(directory, "runs"))).toEqual(["run-1"]);
  });

  test("a run is finished by a second try when its events could not be flushed", async () => {
    const { store, files, reader } = await openFaulty();
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.append(sampleEvents(1, 3));
    files.fail = ({ name }) => (name === "sync" ? systemError("EIO") : undefined);
    expect(await codeOf(writer.finish(sampleReport("run-1"), { status: "completed" }))).toBe("run.store_failed");
    expect((await reader.show("run-1")).record?.status).toBe("running");
    files.fail = undefined;
    await writer.finish(sampleReport("run-1"), { status: "completed" });
    expect((await reader.show("run-1")).record?.status).toBe("completed");
    expect(await seqsOf(reader.events("run-1"))).toEqual([1, 2, 3]);
  });

  test("a store of checkpoints alone keeps the previous one [D2]", async () => {
    const directory = await temporaryFolder();
    const files = faultFiles();
    const store = openFileCheckpointStore({ directory, files });
    await store.save(sampleCheckpoint("run-1", 1));
    for (const failing of ["open", "write", "sync", "rename"]) {
      files.fail = ({ name }) => (name === failing ? systemError("ENOSPC") : undefined);
      expect(await codeOf(store.save(sampleCheckpoint("run-1", 2)))).toBe("run.store_failed");
      files.fail = undefined;
      expect((await store.load("run-1"))?.board.vars).toEqual({ value: 1 });
    }
    expect(await readdir(directory)).toEqual(["run-1.jsonl"]);
  });
});

describe("the operations on the disk", () => {
  test("one write and one flush for a save, one write for events", async () => {
    const { store, files } = await openFaulty();
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    const save = growing(writer);
    await save(1);
    await save(2);
    await writer.append(sampleEvents(1, 1));
    files.operations.length = 0;
    await save(3);
    expect(files.operations.map(({ name }) => name)).toEqual(["write", "sync"]);
    files.operations.length = 0;
    await writer.append(sampleEvents(2, 100));
    expect(files.operations.map(({ name }) => name)).toEqual(["write"]);
  });

  test("only the owner may read the stored files", async () => {
    const { store } = await openFaulty();
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.save(sampleCheckpoint("run-1", 1));
    const modes = await Promise.all(
      ["", "checkpoints", "run.json", "request.json", "events.jsonl", "checkpoints/1.jsonl"].map(async (name) => {
        return ((await lstat(join(writer.folder, name))).mode & 0o777).toString(8);
      }),
    );
    expect(modes).toEqual(["700", "700", "600", "600", "600", "600"]);
  });
});

describe("other files in the folder of runs", () => {
  test("links are neither followed nor deleted through, and stray files are not runs", async () => {
    const { store, directory } = await openFaulty();
    const outside = await temporaryFolder();
    await writeFile(join(outside, "precious"), "kept");
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.release();
    await symlink(outside, join(directory, "runs", "linked"));
    await mkdir(join(writer.folder, "artifacts"));
    await symlink(outside, join(writer.folder, "artifacts", "outside"));
    await writeFile(join(directory, "runs", "stray"), "");
    await mkdir(join(directory, "runs", "no run id"));
    expect((await store.list()).map(({ runId }) => runId).sort()).toEqual(["linked", "run-1"]);
    for (const call of [store.acquire, store.show, store.load])
      expect(await codeOf(call("linked"))).toBe("run.malformed_record");
    await store.delete("linked");
    await store.delete("run-1");
    expect(await store.list()).toEqual([]);
    expect(await readFile(join(outside, "precious"), "utf8")).toBe("kept");
  });

  test("a link instead of a log is refused", async () => {
    const { store, directory } = await openFaulty();
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.release();
    const { rm } = await import("node:fs/promises");
    await rm(join(writer.folder, "events.jsonl"));
    await symlink(join(directory, "elsewhere"), join(writer.folder, "events.jsonl"));
    expect(await codeOf(store.acquire("run-1"))).toBe("run.store_failed");
    expect((await store.show("run-1")).lease?.isHeld).toBe(false);
  });

  test("a run without its lease is listed with that problem, refused and deleted", async () => {
    const { store } = await openFaulty();
    const writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
    await writer.release();
    const { rm } = await import("node:fs/promises");
    await rm(join(writer.folder, ".lease-1"), { recursive: true });
    expect(await store.list()).toMatchObject([{ problem: { code: "run.malformed_record" } }]);
    expect(await codeOf(store.acquire("run-1"))).toBe("run.malformed_record");
    await store.delete("run-1");
    expect(await store.list()).toEqual([]);
  });

  test("only the incomplete files of a dead process are collected", async () => {
    const { directory } = await openFaulty();
    const files = faultFiles();
    const dead = openFileStore({ directory, files, owner: { token: "9-9-dead", livenessOf: () => "unknown" } });
    files.fail = ({ name }) => (name === "rename" || name === "removeTree" ? systemError("EIO") : undefined);
    expect(await codeOf(dead.create(sampleRecord("run-1"), SAMPLE_REQUEST))).toBe("run.store_failed");
    files.fail = ({ name }) => (name === "removeTree" ? systemError("EIO") : undefined);
    await (await dead.create(sampleRecord("run-2"), SAMPLE_REQUEST)).release();
    expect(await codeOf(dead.delete("run-2"))).toBe("run.store_failed");
    expect(await dead.list()).toEqual([]);
    expect(await readdir(join(directory, "runs"))).toHaveLength(2);
    const alive = openFileStore({ directory, owner: { token: "8", livenessOf: () => "alive" } });
    await alive.collectGarbage({ before: Date.now() + 1000 });
    expect(await readdir(join(directory, "runs"))).toEqual([expect.stringContaining(".new-9-9-dead-")]);
    const next = openFileStore({
      directory,
      owner: { token: "8", livenessOf: (token) => (token === "9-9-dead" ? "dead" : "alive") },
    });
    await next.collectGarbage({ before: 0 });
    expect(await readdir(join(directory, "runs"))).toEqual([]);
  });
});
