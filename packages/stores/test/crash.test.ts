import { join } from "node:path";
import type { RunStore } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { manualClock } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { NODE_FILES, type Owner, openFileStore, type StoreFiles } from "../src/file/index.ts";
import { filesUntil, volatileFiles } from "./fault-files.ts";
import { seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleEvents, sampleRecord, sampleReport } from "./run-samples.ts";

/** Writes of one run that were acknowledged before the simulated crash. */
interface Acknowledged {
  isCreated: boolean;
  isFinished: boolean;
  iteration: number;
  seq: number;
}

const LARGE = "z".repeat(400_000);

/** Executes two attempts at one run, whose checkpoint logs are rewritten, until an operation fails. */
async function history(store: RunStore, acknowledged: Acknowledged): Promise<void> {
  const board = createBoard();
  let writer = await store.create(sampleRecord("run-1"), SAMPLE_REQUEST);
  acknowledged.isCreated = true;
  for (let iteration = 1; iteration <= 12; iteration += 1) {
    if (iteration === 7) {
      await writer.release();
      writer = await store.acquire("run-1");
      board.restoreFrom((await writer.load())?.board);
      await writer.update({ attempt: 2 });
    }
    await writer.append(sampleEvents(iteration, iteration));
    acknowledged.seq = iteration;
    board.setVar("large", `${iteration} ${LARGE}`);
    board.appendSliceVar("turns", iteration);
    await writer.save({ execId: "run-1", iteration, board: board.snapshot(), timestamp: "2026-01-01T00:00:00.000Z" });
    acknowledged.iteration = iteration;
  }
  await writer.finish(sampleReport("run-1"), { status: "completed" });
  acknowledged.isFinished = true;
}

/** Returns the problems of a store after a simulated crash. Promises D1, D2, D7, D8. */
async function faultsOf(store: RunStore, acknowledged: Acknowledged, outlives: "process" | "power"): Promise<string[]> {
  const runs = await store.list();
  if (runs.length === 0) return acknowledged.isCreated ? ["the run is gone"] : [];
  const [run] = runs;
  const faults: string[] = [];
  if (run === undefined || "problem" in run) return [`the record is damaged: ${run?.problem.message}`];
  if (acknowledged.isFinished && run.record.status !== "completed") faults.push("the last record is gone");
  const checkpoint = await store.load("run-1").catch((error: unknown) => String(error));
  if (typeof checkpoint === "string") return [...faults, checkpoint];
  const iteration = checkpoint?.iteration ?? 0;
  if (iteration < acknowledged.iteration)
    faults.push(`checkpoint ${acknowledged.iteration} is gone, ${iteration} is left`);
  const turns = Array.from({ length: iteration }, (_, index) => index + 1);
  if (checkpoint !== undefined && String(checkpoint.board.vars["turns"]) !== String(turns))
    faults.push("the board is another");
  const seqs = await seqsOf(store.events("run-1"));
  if (seqs.some((seq, index) => seq !== index + 1)) faults.push(`events ${seqs}`);
  if (outlives === "process" && seqs.length < acknowledged.seq) faults.push(`event ${acknowledged.seq} is gone`);
  return faults;
}

/** Identity of another process, which sees the killed process as dead. */
const SURVIVOR: Owner = { token: "2", livenessOf: () => "dead" };
const VICTIM: Owner = { token: "1", livenessOf: () => "alive" };

/** Simulates a crash at every operation, or at every n-th one. Resolves with the problems found afterwards. */
async function sweep(
  disk: (base: StoreFiles) => StoreFiles,
  step = 1,
): Promise<{ boundaries: number; faults: string[] }> {
  const faults: string[] = [];
  for (let boundary = 0; ; boundary += step) {
    const folder = await temporaryFolder();
    const [directory, left] = [join(folder, "state"), join(folder, "left")];
    await NODE_FILES.makeFolder(directory);
    const cache = volatileFiles();
    const { files, done } = filesUntil(boundary, disk(cache));
    const acknowledged = { isCreated: false, isFinished: false, iteration: 0, seq: 0 };
    const store = openFileStore({ directory, files, owner: VICTIM, timer: manualClock() });
    await history(store, acknowledged).catch((error: unknown) => {
      if (!String(error).includes("killed")) throw error;
    });
    await cache.restore(directory, left);
    // After the crash, only closing the files still reaches the disk.
    await store.close().catch(() => undefined);
    for (const [moment, outlives] of [
      [directory, "process"],
      [left, "power"],
    ] as const) {
      const next = openFileStore({ directory: moment, owner: SURVIVOR, timer: manualClock() });
      const found = await faultsOf(next, acknowledged, outlives);
      if (found.length === 0 && acknowledged.isCreated) {
        const writer = await next.acquire("run-1");
        await writer.load();
        await writer.append(sampleEvents(writer.lastSeq + 1, writer.lastSeq + 1));
        await writer.save({ execId: "run-1", iteration: 99, board: { vars: {} }, timestamp: "2026" });
        if ((await next.load("run-1"))?.iteration !== 99) found.push("it cannot be gone on with");
        await writer.release();
      }
      faults.push(...found.map((fault) => `after ${outlives} at ${boundary}: ${fault}`));
    }
    if (acknowledged.isFinished && done() < boundary) return { boundaries: boundary, faults };
  }
}

test("acknowledged data is present after the process or the power fails at any operation [D1] [D2] [D7] [D8]", async () => {
  const { boundaries, faults } = await sweep((disk) => disk);
  expect(faults).toEqual([]);
  expect(boundaries).toBeGreaterThan(100);
});

test("the sweep finds the faults of a store that does not wait for the disk [D2]", async () => {
  const { faults } = await sweep(
    (disk) => ({
      ...disk,
      open: async (path, mode) => ({ ...(await disk.open(path, mode)), sync: async () => {} }),
    }),
    4,
  );
  expect(faults.filter((fault) => fault.includes("after power")).length).toBeGreaterThan(5);
  expect(faults.filter((fault) => fault.includes("after process"))).toEqual([]);
});

test("the sweep finds the faults of a store that does not wait for the names in its folders [D1] [D2]", async () => {
  const { faults } = await sweep((disk) => ({ ...disk, syncFolder: async () => {} }), 4);
  expect(faults.some((fault) => fault.includes("the run is gone"))).toBe(true);
});
