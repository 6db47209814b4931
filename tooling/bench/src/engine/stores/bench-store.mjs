// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileStore } from "@switchyard/stores/file";
import { openSqliteStore } from "@switchyard/stores/sqlite";
import { randomNumbers, randomText } from "../random-text.mjs";

/** @import { RunStore, RunWriter } from "@switchyard/contracts" */

/** Size of one change, in bytes: the output that a tool adds to a board. */
const CHANGE_BYTES = 20 * 1024;

const random = randomNumbers(20);
const CHANGES = Array.from({ length: 64 }, () => randomText(CHANGE_BYTES, random));

/**
 * Returns the change of a step.
 * @param {number} step
 * @returns {string}
 */
export function changeOf(step) {
  return CHANGES[step % CHANGES.length] ?? "";
}

/**
 * Runs a function with a new folder on disk, which is removed afterwards.
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inNewFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {"file" | "sqlite"} kind
 * @param {string} folder
 * @returns {Promise<RunStore>}
 */
export async function openBenchStore(kind, folder) {
  if (kind === "file") return openFileStore({ directory: join(folder, "state") });
  return openSqliteStore({ path: join(folder, "runs.db") });
}

/**
 * Creates a run and returns its writer.
 * @param {RunStore} store
 * @param {string} runId
 * @returns {Promise<RunWriter>}
 */
export function createRun(store, runId) {
  return store.create(
    {
      format: 1,
      run_id: runId,
      engine: "agent",
      title: "Measure the store",
      status: "running",
      attempt: 1,
      created_at: "2026-01-01T00:00:00.000Z",
      created_by: "0.0.0",
    },
    { format: 1, input: { messages: [{ role: "user", content: "Measure the store" }] } },
  );
}
