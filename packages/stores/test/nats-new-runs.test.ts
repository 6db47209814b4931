import type { RunStore } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openNatsStore } from "../src/nats/index.ts";
import { describeWithBroker, useBroker } from "./broker.ts";
import { codeOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

type AddingStore = RunStore & { readonly add: NonNullable<RunStore["add"]> };

describeWithBroker("a run that is stored without a writer", () => {
  const broker = useBroker();

  /** Opens a store, by default on runs of its own. */
  async function openStore(filesDirectory: string, name = broker().createName()): Promise<AddingStore> {
    const store = await openNatsStore({ servers: broker().server.url, name, filesDirectory, leaseMs: 400 });
    onTestFinished(() => store.close());
    const { add } = store;
    if (add === undefined) throw new Error("the store cannot add runs");
    return { ...store, add };
  }

  /** Opens two stores on the same runs. */
  async function openTwo(): Promise<[AddingStore, AddingStore]> {
    const [filesDirectory, name] = [await temporaryFolder(), broker().createName()];
    return [await openStore(filesDirectory, name), await openStore(filesDirectory, name)];
  }

  test("has its record and request, a free lease, and one run per id [D1]", async () => {
    const [one, two] = await openTwo();
    const record = sampleRecord("r1", { status: "queued" });
    const added = await Promise.allSettled([one, two].map((store) => store.add(record, SAMPLE_REQUEST)));
    expect(added.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await codeOf(one.add(record, SAMPLE_REQUEST))).toBe("run.conflict");
    expect(await two.show("r1")).toMatchObject({
      record: { status: "queued" },
      request: SAMPLE_REQUEST,
      report: undefined,
      lease: { isHeld: false },
      problems: [],
    });
  });

  test("documents of every size are read as they were stored, also after changes of the record", async () => {
    const store = await openStore(await temporaryFolder());
    const request = { ...SAMPLE_REQUEST, settings: { text: "x".repeat(5_000) } };
    for (const [runId, stored] of [
      ["small", SAMPLE_REQUEST],
      ["large", request],
    ] as const) {
      await store.add(sampleRecord(runId), stored);
      const writer = await store.acquire(runId, { seen: await store.show(runId) });
      expect(writer.request).toEqual(stored);
      await writer.update({ title: "changed" });
      await writer.finish(sampleReport(runId, { workspaceDiff: stored === request ? "y".repeat(5_000) : "" }), {});
      const shown = await store.show(runId);
      expect(shown).toMatchObject({ record: { title: "changed" }, request: stored, report: { status: "completed" } });
    }
  });

  test("its first writer is new, and is refused if another process takes the run before the first event [D6]", async () => {
    const [one, two] = await openTwo();
    await one.add(sampleRecord("r1"), SAMPLE_REQUEST);
    const stale = await one.acquire("r1");
    expect(stale.isNew).toBe(true);
    const writer = await two.acquire("r1", { takeOver: true });
    expect(writer.isNew).toBe(false);
    const writes = [stale.append(sampleEvents(1, 1)), stale.save(sampleCheckpoint("r1", 0)), stale.update({})];
    expect(await Promise.all(writes.map(codeOf))).toEqual(writes.map(() => "store.stale_epoch"));
    await writer.append(sampleEvents(1, 2));
    expect(await seqsOf(one.events("r1"))).toEqual([1, 2]);
  });

  test("a run that changed after it was shown is read again when its lease is acquired [D6]", async () => {
    const [one, two] = await openTwo();
    await one.add(sampleRecord("r1"), SAMPLE_REQUEST);
    const seen = await one.show("r1");
    const other = await two.acquire("r1");
    await other.append(sampleEvents(1, 3));
    await other.update({ title: "changed" });
    expect(await codeOf(one.acquire("r1", { seen }))).toBe("run.leased");
    await other.release();
    const writer = await one.acquire("r1", { seen });
    expect(writer).toMatchObject({ isNew: false, lastSeq: 3, record: { title: "changed" } });
  });

  test("a run whose watermark names a later writer is not new: its stream was restored from an older copy [D2]", async () => {
    const filesDirectory = await temporaryFolder();
    const [before, restored] = [await openStore(filesDirectory), await openStore(filesDirectory)];
    for (const store of [before, restored]) await store.add(sampleRecord("r1"), SAMPLE_REQUEST);
    await (await before.acquire("r1")).append(sampleEvents(1, 1));
    const writer = await restored.acquire("r1");
    expect(writer.isNew).toBe(false);
    expect(await codeOf(writer.load())).toBe("checkpoint.lost");
  });
});
