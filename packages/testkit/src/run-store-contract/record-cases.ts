import assert from "node:assert/strict";
import { isAbsolute } from "node:path";
import { tamper } from "../board-contract/tamper.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import {
  assertCode,
  createRun,
  type RunStoreSubject,
  sampleRecord,
  sampleReport,
  sampleRequest,
} from "./run-store-subject.ts";

const ODD_IDS = ["", ".", "..", "a/b", "../x", "a\\b", "a b", "a.b", "a\u0000b", "x".repeat(129), "ä", "*"];

/** Conformance cases for creating, listing, showing and ending runs. */
export const recordCases: readonly CaseBody<RunStoreSubject>[] = [
  {
    id: "run-store/created",
    requirement: "D1",
    title: "Lists and shows a created run with its record and its request",
    async check({ store }) {
      assert.deepEqual(await store.list(), []);
      await createRun(store, "r");
      const [listed] = await store.list();
      assert.ok(listed !== undefined && "record" in listed, "the run is not listed");
      assert.deepEqual([listed.runId, listed.record], ["r", sampleRecord("r")]);
      const shown = await store.show("r");
      assert.deepEqual([shown.runId, shown.record, shown.request], ["r", sampleRecord("r"), sampleRequest()]);
      assert.deepEqual([shown.report, [...shown.problems]], [undefined, []]);
    },
  },
  {
    id: "run-store/created-elsewhere",
    requirement: "D1",
    title: "Shows a created run to another process before its writer has released it",
    async check({ store, reopen }) {
      applies(reopen, "no other process can open this store");
      await createRun(store, "r");
      const other = await reopen();
      assert.deepEqual(
        (await other.list()).map(({ runId }) => runId),
        ["r"],
      );
      assert.deepEqual((await other.show("r")).request, sampleRequest());
    },
  },
  {
    id: "run-store/new-writer",
    requirement: "D6",
    title: "Creates a writer with an epoch, an absolute folder, the requested record, no events and no checkpoint",
    async check({ store }) {
      const writer = await createRun(store, "r");
      assert.ok(writer.epoch >= 1, `the epoch is ${writer.epoch}`);
      assert.ok(isAbsolute(writer.folder), `the folder is ${writer.folder}`);
      assert.deepEqual([writer.runId, writer.record], ["r", sampleRecord("r")]);
      assert.deepEqual([writer.request, writer.lastSeq, writer.signal.aborted], [sampleRequest(), 0, false]);
      assert.deepEqual([await writer.load(), await store.load("r")], [undefined, undefined]);
    },
  },
  {
    id: "run-store/one-of-an-id",
    requirement: "D1",
    title: "Rejects a second run with the same id with run.conflict, and keeps the first",
    async check({ store }) {
      const writer = await createRun(store, "r", { title: "first" });
      await assertCode(() => createRun(store, "r", { title: "second" }), "run.conflict", "a second run");
      await writer.release();
      await assertCode(() => createRun(store, "r", { title: "third" }), "run.conflict", "a third run");
      assert.equal((await store.show("r")).record?.title, "first");
    },
  },
  {
    id: "run-store/one-of-an-id-at-once",
    requirement: "D1",
    title: "Lets exactly one of many concurrent callers create a run with the same id",
    async check({ store }) {
      const tries = Array.from({ length: 6 }, () => createRun(store, "r"));
      const created = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
      assert.deepEqual([created.length, (await store.list()).length], [1, 1]);
    },
  },
  {
    id: "run-store/odd-ids",
    requirement: "engine-run-2",
    title: "Rejects an id that would change in a subject or file name with run.invalid_id",
    async check({ store }) {
      for (const id of ODD_IDS) {
        const label = `the id ${JSON.stringify(id.slice(0, 20))}`;
        await assertCode(() => createRun(store, id), "run.invalid_id", label);
        await assertCode(() => store.acquire(id), "run.invalid_id", label);
        await assertCode(() => store.show(id), "run.invalid_id", label);
        await assertCode(() => store.events(id).next(), "run.invalid_id", label);
      }
      assert.deepEqual(await store.list(), []);
    },
  },
  {
    id: "run-store/unknown",
    requirement: "D3",
    title: "Rejects every operation on a missing run with run.not_found",
    async check({ store }) {
      await createRun(store, "other");
      await assertCode(() => store.show("r"), "run.not_found", "showing a missing run");
      await assertCode(() => store.acquire("r"), "run.not_found", "acquiring a missing run");
      await assertCode(() => store.events("r").next(), "run.not_found", "reading a missing run's events");
      await assertCode(() => store.load("r"), "run.not_found", "loading a missing run's checkpoint");
      await assertCode(() => store.delete("r"), "run.not_found", "deleting a missing run");
    },
  },
  {
    id: "run-store/order",
    requirement: "D1",
    title: "Lists runs newest first",
    async check({ store }) {
      const times = ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
      for (const [index, created_at] of times.entries()) await createRun(store, `run-${index}`, { created_at });
      assert.deepEqual(
        (await store.list()).map(({ runId }) => runId),
        ["run-1", "run-0", "run-2"],
      );
    },
  },
  {
    id: "run-store/update",
    requirement: "D1",
    title: "Stores a changed record, keeps its other fields, and does not allow the id to change",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await writer.update({ status: "awaiting_input", model: "m" });
      await writer.update({ run_id: "other" });
      const expected = sampleRecord("r", { status: "awaiting_input", model: "m" });
      assert.deepEqual([writer.record, (await store.show("r")).record], [expected, expected]);
    },
  },
  {
    id: "run-store/apart",
    requirement: "D3",
    title: "Does not change stored data when the caller changes objects that it passed or received",
    async check({ store }) {
      const [record, request] = [sampleRecord("r"), sampleRequest()];
      const writer = await store.create(record, request);
      tamper(record);
      tamper(request);
      tamper(await store.show("r"));
      tamper(await store.list());
      tamper(writer.record);
      const shown = await store.show("r");
      assert.deepEqual([shown.record, shown.request], [sampleRecord("r"), sampleRequest()]);
    },
  },
  {
    id: "run-store/finish",
    requirement: "D7",
    title: "Stores report and record on finish, and releases the lease",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await writer.finish(sampleReport("r", "completed"), {
        status: "completed",
        finished_at: "2026-01-01T00:00:01.000Z",
      });
      const shown = await store.show("r");
      assert.equal(shown.record?.status, "completed");
      assert.deepEqual(shown.report, sampleReport("r", "completed"));
      assert.equal(shown.lease?.isHeld, false);
    },
  },
  {
    id: "run-store/next-attempt",
    requirement: "D7",
    title: "Replaces the report of an earlier attempt with that of a later one",
    async check({ store }) {
      const first = await createRun(store, "r");
      await first.finish(sampleReport("r", "interrupted"), { status: "interrupted" });
      const second = await store.acquire("r");
      assert.equal(second.record.status, "interrupted");
      await second.update({ status: "running", attempt: 2 });
      assert.equal((await store.show("r")).record?.attempt, 2);
      await second.finish(sampleReport("r", "completed"), { status: "completed" });
      const { record, report } = await store.show("r");
      assert.deepEqual([record?.status, record?.attempt, report?.status], ["completed", 2, "completed"]);
    },
  },
];
