import { join } from "node:path";
import type { RunStore, RunWriter } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/outcome.ts";
import { SAMPLE_REQUEST, sampleRecord } from "../../test/run-samples.ts";
import { openSqliteCheckpointStore, openSqliteStore } from "./index.ts";

const name = fc.constantFrom("a", "b", "list", "__proto__", "$type", "ü\0");
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 3_000 }),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 50 }),
);
const step = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), name, value }),
  fc.record({ kind: fc.constant("append" as const), value }),
  fc.record({ kind: fc.constant("delete" as const), name }),
  // Large enough that a checkpoint needs several lines, and that logs are rewritten.
  fc.record({ kind: fc.constant("fill" as const), size: fc.integer({ min: 1, max: 700_000 }) }),
  fc.record({ kind: fc.constantFrom("save" as const, "load" as const, "pass on" as const, "reopen" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A run, and the data that must be found, while random steps are executed. */
class Model {
  readonly #path: string;
  #store: RunStore;
  #writer: RunWriter;
  #board = createBoard();
  #saved: Readonly<Record<string, unknown>> | undefined;

  constructor(path: string, store: RunStore, writer: RunWriter) {
    this.#path = path;
    this.#store = store;
    this.#writer = writer;
  }

  async take(taken: Step): Promise<void> {
    const board = this.#board;
    switch (taken.kind) {
      case "set":
        return board.setVar(taken.name, taken.value);
      case "append":
        if (!Array.isArray(board.getVar("list"))) board.setVar("list", []);
        return board.appendSliceVar("list", taken.value);
      case "delete":
        return board.deleteVar(taken.name);
      case "fill":
        return board.setVar("filled", Array(8).fill("x".repeat(taken.size / 8)));
      case "save":
        await this.#writer.save({ execId: "run-1", board: board.snapshot(), timestamp: "t" });
        this.#saved = board.snapshot().vars;
        return;
      case "load":
        return await this.#load();
      case "pass on":
        await this.#writer.release();
        this.#writer = await this.#store.acquire("run-1");
        return;
      case "reopen":
        await this.close();
        this.#store = await openSqliteStore({ path: this.#path });
        this.#writer = await this.#store.acquire("run-1");
    }
  }

  /** Loads a checkpoint and checks that it is the last saved one. The run continues from it. */
  async #load(): Promise<void> {
    const loaded = await this.#writer.load();
    expect(loaded?.board.vars).toEqual(this.#saved);
    expect((await this.#store.load("run-1"))?.board.vars).toEqual(this.#saved);
    if (loaded !== undefined) this.#board = createBoard(loaded.board);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

test("any state that a run saves can be loaded by any later writer [D2] [D3] [engine-checkpoint-store-1]", async () => {
  const folder = await temporaryFolder();
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const path = join(folder, `${number++}.db`);
      const store = await openSqliteStore({ path });
      const model = new Model(path, store, await store.create(sampleRecord("run-1"), SAMPLE_REQUEST));
      for (const taken of steps) await model.take(taken);
      await model.take({ kind: "load" });
      await model.close();
    }),
    { numRuns: 40 },
  );
});

test("a checkpoint store loads the last saved state, whichever of several writers saved it [engine-checkpoint-store-1]", async () => {
  const path = join(await temporaryFolder(), "checkpoints.db");
  const stores = await Promise.all([0, 1, 2].map(() => openSqliteCheckpointStore({ path })));
  const boards = new Map<string, ReturnType<typeof createBoard>>();
  const save = fc.record({ store: fc.nat(2), run: fc.constantFrom("run-1", "run-2"), value });
  await fc.assert(
    fc.asyncProperty(fc.array(save, { minLength: 1, maxLength: 12 }), async (saves) => {
      for (const { store, run, value: added } of saves) {
        const board = boards.get(run) ?? createBoard();
        boards.set(run, board);
        board.appendSliceVar("list", added);
        await stores[store]?.save({ execId: run, board: board.snapshot(), timestamp: "t" });
        for (const reader of stores) expect((await reader.load(run))?.board.vars).toEqual(board.vars());
      }
      const [last] = saves.slice(-1);
      if (last === undefined) return;
      await stores[(last.store + 1) % 3]?.delete(last.run);
      boards.delete(last.run);
      for (const reader of stores) expect(await reader.load(last.run)).toBeUndefined();
      expect([...((await stores[0]?.list()) ?? [])].sort()).toEqual([...boards.keys()].sort());
    }),
    { numRuns: 25 },
  );
  for (const store of stores) await store.close();
});
