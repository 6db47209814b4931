import assert from "node:assert/strict";
import type { RunWriter } from "@switchyard/contracts";
import { sampleCheckpoint } from "../checkpoint/sample-checkpoint.ts";
import { assertCheckpoint } from "../checkpoint-store-contract/checkpoint-store-subject.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { becomes } from "../contract/expectations.ts";
import {
  assertCode,
  createRun,
  type RunStoreSubject,
  sampleEvent,
  sampleRecord,
  sampleReport,
  seqsOf,
} from "./run-store-subject.ts";

const DAY_MS = 86_400_000;

/** Returns every operation of a writer, by name. */
function writesOf(writer: RunWriter): Readonly<Record<string, () => Promise<void>>> {
  return {
    append: () => writer.append([sampleEvent(writer.lastSeq + 1)]),
    "append of nothing": () => writer.append([]),
    save: () => writer.save(sampleCheckpoint("r", 9)),
    update: () => writer.update({ title: "stale" }),
    finish: () => writer.finish(sampleReport("r", "failed"), { status: "failed" }),
  };
}

/** Conformance cases for write access, and for removing runs. */
export const leaseCases: readonly CaseBody<RunStoreSubject>[] = [
  {
    id: "run-store/leased",
    requirement: "D6",
    title: "Rejects acquiring a run with an active writer with run.leased, and does not affect the writer",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await assertCode(() => store.acquire("r"), "run.leased", "acquiring a leased run");
      await assertCode(() => store.delete("r"), "run.leased", "deleting a leased run");
      assert.equal((await store.show("r")).lease?.isHeld, true);
      await writer.append([sampleEvent(1)]);
    },
  },
  {
    id: "run-store/released",
    requirement: "D6",
    title: "Allows a released run to be acquired with a higher epoch, and ignores a second release",
    async check({ store }) {
      const first = await createRun(store, "r");
      await first.release();
      await first.release();
      assert.equal((await store.show("r")).lease?.isHeld, false);
      const second = await store.acquire("r");
      await first.release();
      assert.ok(second.epoch > first.epoch, `epoch ${second.epoch} came after ${first.epoch}`);
      assert.equal((await store.show("r")).lease?.epoch, second.epoch);
      await second.append([sampleEvent(1)]);
    },
  },
  {
    id: "run-store/released-writes-nothing",
    requirement: ["D6", "D7"],
    title: "Rejects a finished or released writer with store.stale_epoch, and keeps its last record",
    async check({ store }) {
      const finished = await createRun(store, "r");
      await finished.finish(sampleReport("r", "completed"), { status: "completed" });
      for (const [name, write] of Object.entries(writesOf(finished)))
        await assertCode(write, "store.stale_epoch", name);
      assert.equal((await store.show("r")).record?.status, "completed");
      const released = await createRun(store, "s");
      await released.release();
      await assertCode(() => released.update({ title: "stale" }), "store.stale_epoch", "update");
      assert.deepEqual((await store.show("s")).record, sampleRecord("s"));
    },
  },
  {
    id: "run-store/taken-over",
    requirement: "D6",
    title: "Rejects every call of the earlier writer with store.stale_epoch after a takeover",
    async check({ store }) {
      const stale = await createRun(store, "r");
      const writer = await store.acquire("r", { takeOver: true });
      assert.ok(writer.epoch > stale.epoch, `epoch ${writer.epoch} came after ${stale.epoch}`);
      for (const [name, write] of Object.entries(writesOf(stale))) await assertCode(write, "store.stale_epoch", name);
    },
  },
  {
    id: "run-store/stale-leaves-nothing",
    requirement: ["D6", "D8"],
    title: "Hides from readers every write that a superseded writer attempts",
    async check({ store }) {
      const stale = await createRun(store, "r");
      await stale.append([sampleEvent(1)]);
      await stale.save(sampleCheckpoint("r", 1));
      const writer = await store.acquire("r", { takeOver: true });
      for (const write of Object.values(writesOf(stale))) await write().catch(() => undefined);
      const { record, report } = await store.show("r");
      assert.deepEqual([record, report], [sampleRecord("r"), undefined]);
      assert.deepEqual(await seqsOf(store.events("r")), [1]);
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 1));
      await writer.append([sampleEvent(2)]);
      await writer.save(sampleCheckpoint("r", 2));
      assert.deepEqual(await seqsOf(store.events("r")), [1, 2]);
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 2));
    },
  },
  {
    id: "run-store/stale-release",
    requirement: "D6",
    title: "Leaves the newer writer unaffected when a superseded writer is released",
    async check({ store }) {
      const stale = await createRun(store, "r");
      const writer = await store.acquire("r", { takeOver: true });
      await stale.release();
      assert.deepEqual((await store.show("r")).lease, { epoch: writer.epoch, isHeld: true });
      await writer.save(sampleCheckpoint("r", 1));
      await assertCode(() => store.acquire("r"), "run.leased", "acquiring a run that the newer writer holds");
    },
  },
  {
    id: "run-store/stale-signal",
    requirement: "D6",
    title: "Aborts the signal of a writer once it was rejected because of a newer one, and not before",
    async check({ store }) {
      const stale = await createRun(store, "r");
      await stale.append([sampleEvent(1)]);
      assert.equal(stale.signal.aborted, false);
      const writer = await store.acquire("r", { takeOver: true });
      await stale.append([sampleEvent(2)]).catch(() => undefined);
      await becomes(() => stale.signal.aborted, "The signal of the writer that was taken over");
      assert.equal(writer.signal.aborted, false);
    },
  },
  {
    id: "run-store/one-acquires",
    requirement: "D6",
    title: "Lets exactly one of many concurrent callers acquire a free run",
    async check({ store }) {
      await (await createRun(store, "r")).release();
      const tries = Array.from({ length: 6 }, () => store.acquire("r"));
      const outcomes = await Promise.allSettled(tries);
      const writers = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      assert.equal(writers.length, 1, `${writers.length} writers were created`);
      await writers[0]?.append([sampleEvent(1)]);
    },
  },
  {
    id: "run-store/one-takes-over",
    requirement: "D6",
    title: "Gives each of many concurrent takeovers a unique epoch, and allows only the highest to write",
    async check({ store }) {
      await createRun(store, "r");
      const tries = Array.from({ length: 4 }, () => store.acquire("r", { takeOver: true }));
      const outcomes = await Promise.allSettled(tries);
      const writers = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const epochs = writers.map(({ epoch }) => epoch);
      assert.ok(writers.length > 0, "no caller took the run over");
      assert.equal(new Set(epochs).size, epochs.length, `epochs ${epochs.join(", ")}`);
      const writes = writers.map((writer) => writer.append([sampleEvent(1)]).then(() => writer.epoch));
      const written = (await Promise.allSettled(writes)).flatMap((one) =>
        one.status === "fulfilled" ? [one.value] : [],
      );
      assert.deepEqual(written, [Math.max(...epochs)]);
    },
  },
  {
    id: "run-store/leased-elsewhere",
    requirement: "D6",
    title: "Enforces leases across processes",
    async check({ store, reopen }) {
      applies(reopen, "no other process can open this store");
      const stale = await createRun(store, "r");
      const other = await reopen();
      await assertCode(() => other.acquire("r"), "run.leased", "acquiring a run that another process holds");
      const writer = await other.acquire("r", { takeOver: true });
      await assertCode(
        () => stale.save(sampleCheckpoint("r", 1)),
        "store.stale_epoch",
        "saving from the first process",
      );
      await writer.save(sampleCheckpoint("r", 2));
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 2));
    },
  },
  {
    id: "run-store/closed",
    requirement: "D6",
    title: "Releases its writers when the store is closed",
    async check({ store, reopen }) {
      applies(reopen, "no other process can open this store");
      await createRun(store, "r");
      await store.close();
      const other = await reopen();
      const writer = await other.acquire("r");
      assert.equal(writer.lastSeq, 0);
    },
  },
  {
    id: "run-store/delete",
    requirement: "D1",
    title: "Deletes one run and no other",
    async check({ store }) {
      for (const id of ["run-1", "run-10"]) {
        const writer = await createRun(store, id);
        await writer.append([sampleEvent(1)]);
        await writer.release();
      }
      await store.delete("run-1");
      assert.deepEqual(
        (await store.list()).map(({ runId }) => runId),
        ["run-10"],
      );
      await assertCode(() => store.show("run-1"), "run.not_found", "showing a deleted run");
      assert.deepEqual(await seqsOf(store.events("run-10")), [1]);
    },
  },
  {
    id: "run-store/garbage",
    requirement: "D1",
    title: "Removes old finished runs, and resumable ones only if requested",
    async check({ store }) {
      const finished_at = "2020-01-02T00:00:00.000Z";
      for (const status of ["completed", "failed", "interrupted"] as const) {
        const writer = await createRun(store, status, { created_at: "2020-01-01T00:00:00.000Z" });
        await writer.finish(sampleReport(status, status), { status, finished_at });
      }
      assert.deepEqual(await store.collectGarbage({ before: Date.parse(finished_at) - DAY_MS }), []);
      const removed = await store.collectGarbage({ before: Date.parse(finished_at) + DAY_MS });
      assert.deepEqual([...removed].sort(), ["completed", "failed"]);
      const rest = await store.collectGarbage({ before: Date.now() + DAY_MS, includeResumable: true });
      assert.deepEqual([rest, await store.list()], [["interrupted"], []]);
    },
  },
  {
    id: "run-store/garbage-leased",
    requirement: "D6",
    title: "Never removes a run with an active writer as garbage",
    async check({ store }) {
      const writer = await createRun(store, "r", { status: "completed", finished_at: "2020-01-01T00:00:00.000Z" });
      assert.deepEqual(await store.collectGarbage({ before: Date.now() + DAY_MS, includeResumable: true }), []);
      await writer.append([sampleEvent(1)]);
      assert.deepEqual(await seqsOf(store.events("r")), [1]);
    },
  },
];
