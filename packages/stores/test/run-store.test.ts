import type { RunStore, RunWriter } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { openFileStore } from "../src/file/index.ts";
import { createMemoryStore } from "../src/memory/index.ts";
import { codeOf, listOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

const DAY_MS = 86_400_000;

/** Duration of leases that must not end while the processor is busy, in milliseconds. */
const LONG_LEASE_MS = 1_000;

async function openFiles(leaseMs = 40): Promise<RunStore> {
  const store = openFileStore({ directory: await temporaryFolder(), leaseMs });
  onTestFinished(() => store.close());
  return store;
}

function create(store: RunStore, runId = "run-1"): Promise<RunWriter> {
  return store.create(sampleRecord(runId), SAMPLE_REQUEST);
}

describe.each([
  ["files", openFiles],
  ["memory", async (_?: number) => createMemoryStore()],
])("runs in %s", (_, open) => {
  test("a created run is listed with its record, and its request is stored [D1]", async () => {
    const store = await open();
    const writer = await create(store);
    expect(writer).toMatchObject({ runId: "run-1", epoch: 1, lastSeq: 0, record: sampleRecord("run-1") });
    expect(await store.list()).toMatchObject([
      { runId: "run-1", record: sampleRecord("run-1"), lease: { epoch: 1, isHeld: true } },
    ]);
    expect(await store.show("run-1")).toMatchObject({ request: SAMPLE_REQUEST, report: undefined, problems: [] });
    expect(await store.load("run-1")).toBeUndefined();
    expect(await seqsOf(store.events("run-1"))).toEqual([]);
  });

  test("an id that is taken, unknown or no safe name is refused [D1]", async () => {
    const store = await open();
    await create(store);
    expect(await codeOf(create(store))).toBe("run.conflict");
    const calls = [store.acquire, store.show, store.load, store.delete, (id: string) => store.events(id).next()];
    for (const runId of ["", ".", "..", "a/b", "a\\b", "a\0b", "x".repeat(129), ".lease-1", "a.b"]) {
      expect(await codeOf(create(store, runId))).toBe("run.invalid_id");
      for (const call of calls) expect(await codeOf(call(runId))).toBe("run.invalid_id");
    }
    for (const call of calls) expect(await codeOf(call("run-2"))).toBe("run.not_found");
    expect((await store.list()).map(({ runId }) => runId)).toEqual(["run-1"]);
  });

  test("of many who create the same run one does [D1]", async () => {
    const store = await open();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => create(store)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await store.list()).toHaveLength(1);
  });

  test("events are numbered without gaps and read from any of them on [D8]", async () => {
    const store = await open();
    const writer = await create(store);
    await writer.append(sampleEvents(1, 3));
    await writer.append([]);
    const hard = sampleEvents(4, 4, 'quoted "}\u2028 é,"check":"1:00000000"}');
    await writer.append(hard);
    expect(writer.lastSeq).toBe(4);
    expect(await seqsOf(store.events("run-1"))).toEqual([1, 2, 3, 4]);
    expect(await seqsOf(writer.events(2))).toEqual([3, 4]);
    expect(await listOf(store.events("run-1", 3))).toEqual([JSON.parse(hard[0]?.text ?? "")]);
    for (const events of [sampleEvents(6, 6), sampleEvents(4, 4), [{ seq: 5, text: '{"a":\n1}' }]]) {
      expect(await codeOf(writer.append(events))).toBe("run.malformed_record");
    }
    await writer.release();
    const next = await store.acquire("run-1");
    expect([next.epoch, next.lastSeq]).toEqual([2, 4]);
    await next.append(sampleEvents(5, 6));
    expect(await seqsOf(store.events("run-1", 3))).toEqual([4, 5, 6]);
  });

  test("many events at once and one after the other come back in order [D8]", async () => {
    const store = await open();
    const writer = await create(store);
    const text = "y".repeat(500);
    await writer.append(sampleEvents(1, 1000, text));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => writer.append(sampleEvents(1001 + index, 1001 + index))),
    );
    expect(await seqsOf(store.events("run-1"))).toEqual(Array.from({ length: 1020 }, (_, index) => index + 1));
    await writer.release();
    expect((await store.acquire("run-1")).lastSeq).toBe(1020);
  });

  test("the newest checkpoint loads, also for the writers after it [D2] [engine-checkpoint-store-1]", async () => {
    const store = await open();
    const writer = await create(store);
    expect(await writer.load()).toBeUndefined();
    const board = createBoard();
    board.setVar("when", new Date(0));
    for (let step = 1; step <= 3; step += 1) {
      board.appendSliceVar("turns", { step, bytes: new Uint8Array([step]) });
      const saved = { ...sampleCheckpoint("run-1", 0), board: board.snapshot(), iteration: step };
      await writer.save(saved);
      expect(await store.load("run-1")).toEqual(saved);
    }
    await writer.release();
    const next = await store.acquire("run-1");
    const loaded = await next.load();
    expect(loaded).toMatchObject({ iteration: 3, board: { vars: board.snapshot().vars } });
    const resumed = createBoard(loaded?.board);
    resumed.appendSliceVar("turns", "four");
    await next.save({ ...sampleCheckpoint("run-1", 0), board: resumed.snapshot(), iteration: 4 });
    expect((await store.load("run-1"))?.board.vars).toEqual(resumed.vars());
    await next.release();
    // If no checkpoint was loaded, the next one is stored completely.
    const last = await store.acquire("run-1");
    await last.save(sampleCheckpoint("run-1", "fresh"));
    expect((await last.load())?.board.vars).toEqual({ value: "fresh" });
  });

  test("a checkpoint of another run, or with values that cannot be stored, is refused and changes nothing [D3]", async () => {
    const store = await open();
    const writer = await create(store);
    await writer.save(sampleCheckpoint("run-1", 1));
    expect(await codeOf(writer.save(sampleCheckpoint("run-2", 2)))).toBe("checkpoint.foreign");
    expect(await codeOf(writer.save(sampleCheckpoint("run-1", 2, { payload: { callback: () => 1 } })))).toBe(
      "board.invalid_value",
    );
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: 1 });
    await writer.save(sampleCheckpoint("run-1", 3));
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: 3 });
  });

  test("saves and appends may overlap, and the last save counts", async () => {
    const store = await open();
    const writer = await create(store);
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => writer.save(sampleCheckpoint("run-1", index))),
      writer.append(sampleEvents(1, 5)),
      writer.update({ status: "awaiting_input" }),
      writer.append(sampleEvents(6, 9)),
    ]);
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: 9 });
    expect(await seqsOf(store.events("run-1"))).toHaveLength(9);
  });

  test("a record changes, except for whose it is", async () => {
    const store = await open();
    const writer = await create(store);
    await writer.update({ status: "awaiting_input", attempt: 2, run_id: "run-2" });
    const expected = sampleRecord("run-1", { status: "awaiting_input", attempt: 2 });
    expect(writer.record).toEqual(expected);
    expect((await store.show("run-1")).record).toEqual(expected);
  });

  test("changing a value after it was passed in does not change the stored value [engine-checkpoint-store-4]", async () => {
    const store = await open();
    const record = sampleRecord("run-1");
    const request = structuredClone(SAMPLE_REQUEST);
    const writer = await store.create(record, request);
    record.title = "changed";
    request.input.messages = [];
    expect([writer.record.title, writer.request]).toEqual(["Mend the gate", SAMPLE_REQUEST]);
    await writer.update({ attempt: 2 });
    expect((await store.show("run-1")).record?.title).toBe("Mend the gate");
  });

  test("finishing stores the report and a last record and releases the lease [D7]", async () => {
    const store = await open();
    const writer = await create(store);
    await writer.append(sampleEvents(1, 1));
    await writer.finish(sampleReport("run-1"), { status: "completed", finished_at: "2026-01-01T00:01:00.000Z" });
    const shown = await store.show("run-1");
    expect(shown).toMatchObject({
      record: { status: "completed" },
      report: sampleReport("run-1"),
      lease: { epoch: 1, isHeld: false },
    });
    expect(await codeOf(writer.finish(sampleReport("run-1"), {}))).toBe("store.stale_epoch");
    expect(await seqsOf(writer.events())).toEqual([1]);
    await writer.release();
  });

  test("while a writer is at work the run can be neither acquired nor deleted [D6]", async () => {
    const store = await open();
    await create(store);
    expect(await codeOf(store.acquire("run-1"))).toBe("run.leased");
    expect(await codeOf(store.delete("run-1"))).toBe("run.leased");
  });

  test("a writer that was replaced is refused in every call and leaves no data behind [D6]", async () => {
    const store = await open();
    const old = await create(store);
    await old.append(sampleEvents(1, 1));
    await old.save(sampleCheckpoint("run-1", "old"));
    const lost = new Promise((resolve) => old.signal.addEventListener("abort", resolve));
    const writer = await store.acquire("run-1", { takeOver: true });
    expect(writer.epoch).toBe(2);
    const calls = [
      () => old.append(sampleEvents(2, 2)),
      () => old.append([]),
      () => old.save(sampleCheckpoint("run-1", "stale")),
      () => old.load(),
      () => old.update({ title: "stale" }),
      () => old.finish(sampleReport("run-1"), { status: "failed" }),
    ];
    for (const call of calls) expect(await codeOf(call())).toBe("store.stale_epoch");
    await lost;
    await old.release();
    expect(await seqsOf(store.events("run-1"))).toEqual([1]);
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: "old" });
    expect(await store.show("run-1")).toMatchObject({
      record: sampleRecord("run-1"),
      report: undefined,
      lease: { epoch: 2, isHeld: true },
    });
    await writer.append(sampleEvents(2, 2));
    await writer.save(sampleCheckpoint("run-1", "new"));
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: "new" });
  });

  test("of many who acquire a run that is free one does, and epochs only rise [D6]", async () => {
    const store = await open(LONG_LEASE_MS);
    await (await create(store)).release();
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => store.acquire("run-1")));
      const writers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      expect(writers.map(({ epoch }) => epoch)).toEqual([round + 2]);
      await writers[0]?.release();
      await writers[0]?.release();
    }
  });

  test("runs are listed with the newest first", async () => {
    const store = await open();
    for (const [runId, day] of [
      ["run-b", 2],
      ["run-a", 2],
      ["run-c", 1],
    ] as const) {
      await store.create(sampleRecord(runId, { created_at: `2026-01-0${day}T00:00:00.000Z` }), SAMPLE_REQUEST);
    }
    expect((await store.list()).map(({ runId }) => runId)).toEqual(["run-b", "run-a", "run-c"]);
  });

  test("a deleted run is gone, and its id is free", async () => {
    const store = await open();
    await (await create(store)).release();
    await create(store, "run-2");
    await store.delete("run-1");
    expect((await store.list()).map(({ runId }) => runId)).toEqual(["run-2"]);
    expect(await codeOf(store.show("run-1"))).toBe("run.not_found");
    expect((await create(store)).epoch).toBe(1);
  });

  test("old ended runs are collected, resumable ones only on request, and never an active one", async () => {
    const store = await open();
    const before = Date.now() + DAY_MS;
    const at = (ms: number): string => new Date(ms).toISOString();
    const finish = async (runId: string, status: "completed" | "error", finishedAt: number): Promise<void> => {
      const writer = await create(store, runId);
      await writer.finish(sampleReport(runId, { status }), { status, finished_at: at(finishedAt) });
    };
    await finish("old", "completed", before - 1);
    await finish("young", "completed", before);
    await finish("resumable", "error", before - 1);
    await create(store, "working");
    await (await create(store, "cut-off")).release();
    expect(await store.collectGarbage({ before })).toEqual(["old"]);
    expect(await store.collectGarbage({ before: 0, includeResumable: true })).toEqual([]);
    expect(await store.collectGarbage({ before, includeResumable: true })).toEqual(["cut-off", "resumable"]);
    expect((await store.list()).map(({ runId }) => runId).sort()).toEqual(["working", "young"]);
  });

  test("closing gives back all leases", async () => {
    const store = await open();
    const writer = await create(store);
    await store.close();
    expect(await codeOf(writer.append(sampleEvents(1, 1)))).toBe("store.stale_epoch");
    expect((await store.show("run-1")).lease?.isHeld).toBe(false);
  });
});
