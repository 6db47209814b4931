import type { Checkpoint } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { describe, expect, test } from "vitest";
import { type FileCheckpointStore, openFileCheckpointStore } from "../src/file/index.ts";
import { createMemoryCheckpointStore, type MemoryCheckpointStore } from "../src/memory/index.ts";
import { codeOf, temporaryFolder } from "./outcome.ts";
import { sampleCheckpoint } from "./run-samples.ts";

async function openFiles(): Promise<FileCheckpointStore> {
  return openFileCheckpointStore({ directory: await temporaryFolder() });
}
async function openMemory(): Promise<MemoryCheckpointStore> {
  return createMemoryCheckpointStore();
}

describe.each([
  ["files", openFiles],
  ["memory", openMemory],
])("checkpoints alone in %s", (_, open) => {
  test("the one that was saved last is loaded, whole [engine-checkpoint-store-1]", async () => {
    const store = await open();
    const first = sampleCheckpoint(
      "run-1",
      { when: new Date(0) },
      { step: "a", iteration: 1, payload: [new Uint8Array([1])] },
    );
    await store.save(first);
    expect(await store.load("run-1")).toEqual(first);
    const bare: Checkpoint = { execId: "run-1", board: { vars: { a: null } }, timestamp: "2026" };
    await store.save(bare);
    expect(await store.load("run-1")).toStrictEqual(bare);
  });

  test("an unknown run returns undefined, and an unsafe id is refused [engine-checkpoint-store-2]", async () => {
    const store = await open();
    expect(await store.load("run-1")).toBeUndefined();
    expect(await store.list()).toEqual([]);
    await store.delete("run-1");
    for (const id of ["", "../run", "a/b", ".hidden"]) {
      expect(await codeOf(store.load(id))).toBe("run.invalid_id");
      expect(await codeOf(store.save(sampleCheckpoint(id, 1)))).toBe("run.invalid_id");
    }
  });

  test("changes to a value after saving or loading do not change the stored value [engine-checkpoint-store-4]", async () => {
    const store = await open();
    const vars = { list: [1] };
    await store.save({ execId: "run-1", board: { vars }, timestamp: "2026" });
    vars.list.push(2);
    const loaded = await store.load("run-1");
    Object.assign(loaded ?? {}, { step: "changed" });
    expect(await store.load("run-1")).toEqual({ execId: "run-1", board: { vars: { list: [1] } }, timestamp: "2026" });
  });

  test("calls may overlap; the last save counts [engine-checkpoint-store-5]", async () => {
    const store = await open();
    const large = createBoard();
    for (let index = 0; index < 2000; index += 1) large.appendSliceVar("list", "x".repeat(300));
    await Promise.all([
      store.save({ ...sampleCheckpoint("run-1", 0), board: large.snapshot() }),
      ...Array.from({ length: 10 }, (_, index) => store.save(sampleCheckpoint("run-1", index))),
      store.load("run-1"),
      ...Array.from({ length: 5 }, (_, index) => store.save(sampleCheckpoint(`other-${index}`, index))),
    ]);
    expect((await store.load("run-1"))?.board.vars).toEqual({ value: 9 });
    expect((await store.load("other-3"))?.board.vars).toEqual({ value: 3 });
  });

  test("of many saves that overlap, the last one counts every time [engine-checkpoint-store-5]", async () => {
    const store = await open();
    for (let round = 1; round <= 40; round += 1) {
      await Promise.all(Array.from({ length: 12 }, (_, save) => store.save(sampleCheckpoint("run-1", [round, save]))));
      expect((await store.load("run-1"))?.board.vars).toEqual({ value: [round, 11] });
    }
  });

  test("runs are listed and deleted one by one [engine-checkpoint-store-6] [engine-checkpoint-store-7]", async () => {
    const store = await open();
    for (const id of ["run-2", "run-1", "run-1-a"]) await store.save(sampleCheckpoint(id, id));
    expect(await store.list()).toEqual(["run-1", "run-1-a", "run-2"]);
    await store.delete("run-1");
    expect(await store.list()).toEqual(["run-1-a", "run-2"]);
    expect(await store.load("run-1")).toBeUndefined();
    expect((await store.load("run-1-a"))?.board.vars).toEqual({ value: "run-1-a" });
  });
});
