import assert from "node:assert/strict";
import { sampleCheckpoint } from "../checkpoint/sample-checkpoint.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertClass, outcomeOf } from "../contract/expectations.ts";
import { assertCheckpoint, type CheckpointStoreSubject, isDeleter, isLister } from "./checkpoint-store-subject.ts";

const ODD_IDS = ["a/b", "../x", "a\\b", ".", "", "a b", "a.b", "ä", "a\u0000b", "x".repeat(300), "CON", "__proto__"];

/** Conformance cases for several runs and callers. */
export const sharingCases: readonly CaseBody<CheckpointStoreSubject>[] = [
  {
    id: "checkpoint-store/runs-apart",
    requirement: "engine-checkpoint-store-1",
    title: "Separates the checkpoints of runs, even if their ids are similar",
    async check({ store }) {
      const ids = ["run-1", "run-10", "run_1", "RUN-1", "run-"];
      for (const [index, id] of ids.entries()) await store.save(sampleCheckpoint(id, index + 1));
      for (const [index, id] of ids.entries()) assertCheckpoint(await store.load(id), sampleCheckpoint(id, index + 1));
    },
  },
  {
    id: "checkpoint-store/odd-ids",
    requirement: ["engine-checkpoint-store-1", "engine-checkpoint-store-2"],
    title: "Rejects an unusual run id with class validation, or stores it separately like any other",
    async check({ store }) {
      const stored: string[] = [];
      for (const id of ODD_IDS) {
        const outcome = await outcomeOf(() => store.save(sampleCheckpoint(id, stored.length + 1)));
        if ("error" in outcome) assertClass(outcome.error, "validation", `saving a run with the id ${id.slice(0, 20)}`);
        else stored.push(id);
      }
      for (const [index, id] of stored.entries())
        assertCheckpoint(await store.load(id), sampleCheckpoint(id, index + 1));
      if (isLister(store)) assert.deepEqual([...(await store.list())].sort(), [...stored].sort());
    },
  },
  {
    id: "checkpoint-store/concurrent-runs",
    requirement: "engine-checkpoint-store-5",
    title: "Saves and loads checkpoints of many runs concurrently",
    async check({ store }) {
      const ids = Array.from({ length: 20 }, (_, index) => `run-${index}`);
      for (const steps of [1, 2, 3]) {
        await Promise.all(ids.map((id, index) => store.save(sampleCheckpoint(id, steps + index))));
      }
      const loaded = await Promise.all(ids.map((id) => store.load(id)));
      for (const [index, id] of ids.entries()) assertCheckpoint(loaded[index], sampleCheckpoint(id, 3 + index));
    },
  },
  {
    id: "checkpoint-store/concurrent-saves",
    requirement: ["engine-checkpoint-store-5", "engine-checkpoint-store-1"],
    title: "Keeps the last checkpoint, complete, after concurrent saves of one run",
    async check({ store }) {
      const saves = Array.from({ length: 10 }, (_, index) => store.save(sampleCheckpoint("r", index + 1)));
      await Promise.all(saves);
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 10));
    },
  },
  {
    id: "checkpoint-store/whole-while-saving",
    requirement: ["engine-checkpoint-store-5", "D3"],
    title: "Loads a complete checkpoint, never an older one than before, during a save",
    async check({ store }) {
      await store.save(sampleCheckpoint("r", 1));
      let newest = 1;
      for (let steps = 2; steps <= 12; steps += 1) {
        const saving = store.save(sampleCheckpoint("r", steps));
        const loaded = await Promise.all([store.load("r"), store.load("r"), store.load("r")]);
        for (const found of loaded) {
          const iteration = found?.iteration ?? 0;
          assert.ok(
            iteration === steps - 1 || iteration === steps,
            `step ${iteration} was loaded while ${steps} was saved`,
          );
          assertCheckpoint(found, sampleCheckpoint("r", iteration));
        }
        await saving;
        newest = steps;
      }
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", newest));
    },
  },
  {
    id: "checkpoint-store/list",
    requirement: ["engine-checkpoint-store-6", "engine-checkpoint-store-8"],
    title: "Lists the id of each run that has a checkpoint once, if it can list",
    async check({ store }) {
      applies(isLister(store), "the store cannot list");
      assert.deepEqual([...(await store.list())], []);
      for (const id of ["b", "a", "b", "c"]) await store.save(sampleCheckpoint(id, 1));
      assert.equal(await store.load("never"), undefined);
      assert.deepEqual([...(await store.list())].sort(), ["a", "b", "c"]);
    },
  },
  {
    id: "checkpoint-store/delete",
    requirement: ["engine-checkpoint-store-7", "engine-checkpoint-store-8"],
    title: "Deletes all checkpoints of one run and of no other, if it can delete",
    async check({ store }) {
      applies(isDeleter(store), "the store cannot delete");
      for (const id of ["run-1", "run-10", "run-2"]) {
        for (const steps of [1, 2]) await store.save(sampleCheckpoint(id, steps));
      }
      await store.delete("run-1");
      assert.equal(await store.load("run-1"), undefined);
      assertCheckpoint(await store.load("run-10"), sampleCheckpoint("run-10", 2));
      if (isLister(store)) assert.deepEqual([...(await store.list())].sort(), ["run-10", "run-2"]);
    },
  },
  {
    id: "checkpoint-store/delete-again",
    requirement: "engine-checkpoint-store-7",
    title: "Does nothing when a missing checkpoint is deleted, and accepts new saves of a deleted run",
    async check({ store }) {
      applies(isDeleter(store), "the store cannot delete");
      await store.delete("never");
      await store.save(sampleCheckpoint("r", 3));
      await store.delete("r");
      await store.delete("r");
      await store.save(sampleCheckpoint("r", 1));
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 1));
    },
  },
];
