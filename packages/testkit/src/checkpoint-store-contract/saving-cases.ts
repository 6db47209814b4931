import assert from "node:assert/strict";
import { tamper } from "../board-contract/tamper.ts";
import { oddData, sampleCheckpoint } from "../checkpoint/sample-checkpoint.ts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertRefused } from "../contract/expectations.ts";
import { assertCheckpoint, type CheckpointStoreSubject } from "./checkpoint-store-subject.ts";

/** Conformance cases for saving and loading. */
export const savingCases: readonly CaseBody<CheckpointStoreSubject>[] = [
  {
    id: "checkpoint-store/absent",
    requirement: "engine-checkpoint-store-2",
    title: "Returns undefined, not an error, for an unknown run",
    async check({ store }) {
      assert.equal(await store.load("never"), undefined);
      await store.save(sampleCheckpoint("r", 1));
      assert.equal(await store.load("R2"), undefined);
    },
  },
  {
    id: "checkpoint-store/newest",
    requirement: ["engine-checkpoint-store-1", "D2"],
    title: "Loads the checkpoint that was saved last",
    async check({ store }) {
      for (let steps = 1; steps <= 5; steps += 1) {
        await store.save(sampleCheckpoint("r", steps));
        assertCheckpoint(await store.load("r"), sampleCheckpoint("r", steps));
      }
    },
  },
  {
    id: "checkpoint-store/last-call-wins",
    requirement: "engine-checkpoint-store-1",
    title: "Loads the last saved checkpoint, even if it has an earlier step or time",
    async check({ store }) {
      await store.save(sampleCheckpoint("r", 5));
      const earlier = sampleCheckpoint("r", 2, { timestamp: "2020-01-01T00:00:00.000Z" });
      await store.save(earlier);
      assertCheckpoint(await store.load("r"), earlier);
    },
  },
  {
    id: "checkpoint-store/replaced-whole",
    requirement: "engine-checkpoint-store-1",
    title: "Removes all data of the earlier checkpoint that the later one lacks",
    async check({ store }) {
      await store.save(sampleCheckpoint("r", 5, { payload: { a: { b: 1 }, c: [1, 2, 3] } }));
      const less = { execId: "r", board: { vars: { list: [{ step: 1 }] }, channels: {} }, timestamp: "2026-01-01" };
      await store.save(less);
      assertCheckpoint(await store.load("r"), less);
    },
  },
  {
    id: "checkpoint-store/all-fields",
    requirement: ["engine-checkpoint-3", "engine-checkpoint-4", "engine-checkpoint-store-1"],
    title: "Preserves every field, and leaves absent fields absent",
    async check({ store }) {
      const full = sampleCheckpoint("full", 3);
      const least = { execId: "least", board: { vars: {} }, timestamp: "2026-01-01T00:00:00.000Z" };
      for (const checkpoint of [full, least, sampleCheckpoint("null", 1, { payload: null, step: "", iteration: 0 })]) {
        await store.save(checkpoint);
        assertCheckpoint(await store.load(checkpoint.execId), checkpoint, `the ${checkpoint.execId} checkpoint`);
      }
    },
  },
  {
    id: "checkpoint-store/odd-data",
    requirement: ["engine-checkpoint-store-1", "engine-run-resume-from-5"],
    title: "Preserves any plain data, including dates, bytes, unusual names and unusual texts",
    async check({ store }) {
      for (const [name, value] of Object.entries(oddData())) {
        const board = { vars: { [name]: value, "": value }, channels: {} };
        const checkpoint = sampleCheckpoint("r", 1, { board, payload: { [name]: value } });
        await store.save(checkpoint);
        assertCheckpoint(await store.load("r"), checkpoint, `data of the kind "${name}"`);
      }
    },
  },
  {
    id: "checkpoint-store/odd-variable-names",
    requirement: ["engine-checkpoint-store-1", "engine-board-8"],
    title: "Preserves variables and channels of any name",
    async check({ store }) {
      const named: Record<string, unknown> = JSON.parse(
        '{"__proto__": [1], "": 1, "constructor": 2, "vars": 3, "\\ud800": 4, "a\\nb": 5, "set": {"set": 1}, "keep": 0}',
      );
      const board = { vars: named, channels: JSON.parse('{"__proto__": [], "constructor": []}') };
      const first = sampleCheckpoint("r", 1, { board });
      await store.save(first);
      assertCheckpoint(await store.load("r"), first);
      const second = sampleCheckpoint("r", 2, { board: { ...board, vars: { ...named, more: true } } });
      await store.save(second);
      assertCheckpoint(await store.load("r"), second);
    },
  },
  {
    id: "checkpoint-store/saved-apart",
    requirement: "engine-checkpoint-store-4",
    title: "Does not change a stored checkpoint when the caller changes it after saving",
    async check({ store }) {
      const checkpoint = structuredClone(sampleCheckpoint("r", 2));
      await store.save(checkpoint);
      tamper(checkpoint);
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 2));
    },
  },
  {
    id: "checkpoint-store/loaded-apart",
    requirement: "engine-checkpoint-store-4",
    title: "Does not change a stored checkpoint when the caller changes a loaded one",
    async check({ store }) {
      await store.save(sampleCheckpoint("r", 2));
      tamper(await store.load("r"));
      assertCheckpoint(await store.load("r"), sampleCheckpoint("r", 2));
    },
  },
  {
    id: "checkpoint-store/reopened",
    requirement: ["engine-checkpoint-store-1", "D2"],
    title: "Allows another process to load the last checkpoint and to save further ones",
    async check({ store, reopen }) {
      applies(reopen, "the store's data does not outlive the process");
      for (const steps of [1, 2, 3]) await store.save(sampleCheckpoint("r", steps));
      const other = await reopen();
      assertCheckpoint(await other.load("r"), sampleCheckpoint("r", 3));
      await other.save(sampleCheckpoint("r", 4));
      const third = await reopen();
      assertCheckpoint(await third.load("r"), sampleCheckpoint("r", 4));
      assert.equal(await third.load("never"), undefined);
    },
  },
  {
    id: "checkpoint-store/damaged",
    requirement: ["engine-checkpoint-store-3", "D3"],
    title: "Rejects a damaged checkpoint with class internal instead of treating it as missing",
    async check({ store, damage, reopen }) {
      applies(damage, "the subject cannot damage stored data");
      await store.save(sampleCheckpoint("r", 1));
      await store.save(sampleCheckpoint("r", 2));
      await damage("r");
      const other = (await reopen?.()) ?? store;
      await assertRefused(() => other.load("r"), "internal", "loading a damaged checkpoint");
    },
  },
];
