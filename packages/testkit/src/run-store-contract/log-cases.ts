import assert from "node:assert/strict";
import { oddData, sampleCheckpoint } from "../checkpoint/sample-checkpoint.ts";
import { assertCheckpoint } from "../checkpoint-store-contract/checkpoint-store-subject.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertCode, createRun, type RunStoreSubject, sampleEvent, sampleEvents, seqsOf } from "./run-store-subject.ts";

/** Conformance cases for events and checkpoints of a run. */
export const logCases: readonly CaseBody<RunStoreSubject>[] = [
  {
    id: "run-store/events",
    requirement: "D8",
    title: "Returns events complete and in order, from the writer and from the store",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await writer.append(sampleEvents(1, 2));
      await writer.append([]);
      await writer.append(sampleEvents(3, 3));
      assert.equal(writer.lastSeq, 3);
      for (const events of [writer.events(), store.events("r")]) {
        const texts: unknown[] = [];
        for await (const envelope of events) texts.push(envelope);
        assert.deepEqual(
          texts,
          sampleEvents(1, 3).map(({ text }) => JSON.parse(text)),
        );
      }
    },
  },
  {
    id: "run-store/events-behind",
    requirement: "D8",
    title: "Returns exactly the events after a given number",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await writer.append(sampleEvents(1, 5));
      assert.deepEqual(await seqsOf(store.events("r", 3)), [4, 5]);
      assert.deepEqual(await seqsOf(writer.events(5)), []);
      assert.deepEqual(await seqsOf(store.events("r", 99)), []);
    },
  },
  {
    id: "run-store/events-without-gaps",
    requirement: "D8",
    title: "Rejects events that would leave a gap or be duplicates, and stores none of them",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await writer.append(sampleEvents(1, 2));
      for (const events of [[sampleEvent(4)], [sampleEvent(2)], [sampleEvent(3), sampleEvent(5)], [sampleEvent(0)]]) {
        const action = `appending ${events.map(({ seq }) => seq).join(", ")} after 2`;
        await assertCode(() => writer.append(events), "run.malformed_record", action);
      }
      assert.deepEqual([writer.lastSeq, await seqsOf(store.events("r"))], [2, [1, 2]]);
      await writer.append([sampleEvent(3)]);
      assert.deepEqual(await seqsOf(store.events("r")), [1, 2, 3]);
    },
  },
  {
    id: "run-store/events-at-once",
    requirement: "D8",
    title: "Stores events in order if they are appended before earlier ones are stored",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await Promise.all([1, 2, 3, 4, 5, 6].map((seq) => writer.append([sampleEvent(seq)])));
      assert.deepEqual(await seqsOf(store.events("r")), [1, 2, 3, 4, 5, 6]);
    },
  },
  {
    id: "run-store/events-elsewhere",
    requirement: "D8",
    title: "Shows appended events to another process as soon as the append has resolved",
    async check({ store, reopen }) {
      applies(reopen, "no other process can open this store");
      const writer = await createRun(store, "r");
      const other = await reopen();
      for (const seq of [1, 2, 3]) {
        await writer.append([sampleEvent(seq)]);
        assert.equal((await seqsOf(other.events("r"))).length, seq);
      }
    },
  },
  {
    id: "run-store/events-go-on",
    requirement: "D8",
    title: "Continues after the last event with the next writer",
    async check({ store }) {
      const first = await createRun(store, "r");
      await first.append(sampleEvents(1, 3));
      await first.release();
      const second = await store.acquire("r");
      assert.equal(second.lastSeq, 3);
      await second.append(sampleEvents(4, 5));
      assert.deepEqual(await seqsOf(store.events("r")), [1, 2, 3, 4, 5]);
    },
  },
  {
    id: "run-store/checkpoint",
    requirement: "D2",
    title: "Loads the checkpoint that was saved last, from the writer and from the store",
    async check({ store }) {
      const writer = await createRun(store, "r");
      for (let steps = 1; steps <= 8; steps += 1) {
        await writer.save(sampleCheckpoint("r", steps));
        assertCheckpoint(await writer.load(), sampleCheckpoint("r", steps), "loaded by the writer");
        assertCheckpoint(await store.load("r"), sampleCheckpoint("r", steps), "loaded by the store");
      }
      await writer.save(sampleCheckpoint("r", 2));
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 2), "a checkpoint with less data");
    },
  },
  {
    id: "run-store/checkpoint-odd-data",
    requirement: "D2",
    title: "Preserves any plain data in a checkpoint, also as a change to an earlier one",
    async check({ store }) {
      const writer = await createRun(store, "r");
      for (const [name, value] of Object.entries(oddData())) {
        const board = { vars: { [name]: value, list: [value, 1] }, channels: {} };
        const checkpoint = sampleCheckpoint("r", 1, { board, payload: { [name]: value } });
        await writer.save(checkpoint);
        assertCheckpoint(await store.load("r"), checkpoint, `data of the kind "${name}"`);
      }
    },
  },
  {
    id: "run-store/checkpoint-elsewhere",
    requirement: "D2",
    title: "Loads a complete checkpoint in another process as soon as the save has resolved",
    async check({ store, reopen }) {
      applies(reopen, "no other process can open this store");
      const writer = await createRun(store, "r");
      const other = await reopen();
      for (const steps of [1, 2, 3]) {
        await writer.save(sampleCheckpoint("r", steps));
        assertCheckpoint(await other.load("r"), sampleCheckpoint("r", steps));
      }
    },
  },
  {
    id: "run-store/checkpoint-goes-on",
    requirement: "D2",
    title: "Gives the next writer the last checkpoint and lets it save further ones",
    async check({ store }) {
      const first = await createRun(store, "r");
      await first.save(sampleCheckpoint("r", 1));
      await first.save(sampleCheckpoint("r", 2));
      await first.release();
      const second = await store.acquire("r");
      assertCheckpoint(await second.load(), sampleCheckpoint("r", 2));
      await second.save(sampleCheckpoint("r", 3));
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 3));
    },
  },
  {
    id: "run-store/checkpoint-foreign",
    requirement: ["engine-checkpoint-1", "D3"],
    title: "Rejects a checkpoint of another run, and keeps the last one",
    async check({ store }) {
      const writer = await createRun(store, "r");
      await writer.save(sampleCheckpoint("r", 1));
      await assertCode(
        () => writer.save(sampleCheckpoint("other", 2)),
        "checkpoint.foreign",
        "a checkpoint of another run",
      );
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 1));
    },
  },
  {
    id: "run-store/checkpoint-damaged",
    requirement: "D3",
    title: "Rejects a damaged checkpoint with checkpoint.corrupt instead of treating it as missing",
    async check({ store, damageCheckpoint }) {
      applies(damageCheckpoint, "the subject cannot damage stored data");
      const writer = await createRun(store, "r");
      await writer.save(sampleCheckpoint("r", 1));
      await writer.save(sampleCheckpoint("r", 2));
      await writer.release();
      await damageCheckpoint("r");
      await assertCode(() => store.load("r"), "checkpoint.corrupt", "loading a damaged checkpoint");
    },
  },
  {
    id: "run-store/runs-apart",
    requirement: ["D2", "D8"],
    title: "Does not mix runs that are written concurrently",
    async check({ store }) {
      const ids = ["run-1", "run-10", "run-2", "RUN-1"];
      const writers = await Promise.all(ids.map((id) => createRun(store, id)));
      const writes = writers.flatMap((writer, index) => [
        writer.append(sampleEvents(1, index + 1)),
        writer.save(sampleCheckpoint(writer.runId, index + 1)),
        writer.update({ title: writer.runId }),
      ]);
      await Promise.all(writes);
      for (const [index, id] of ids.entries()) {
        assert.equal((await seqsOf(store.events(id))).length, index + 1);
        assertCheckpoint(await store.load(id), sampleCheckpoint(id, index + 1));
        assert.equal((await store.show(id)).record?.title, id);
      }
    },
  },
];
