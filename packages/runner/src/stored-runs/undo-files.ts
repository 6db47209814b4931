import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredRun } from "@switchyard/contracts";
import { parseUndoFile, type UndoFile } from "@switchyard/workspace";
import { RUN_FILES } from "../run-files/run-files.ts";

/**
 * Reads the undo data in the run folder. `undefined` for runs of earlier versions. Rejects if the file cannot be read.
 */
export async function readUndoFile(run: Pick<StoredRun, "report">): Promise<UndoFile | undefined> {
  const text = await readIn(run, RUN_FILES.undo);
  return text === undefined ? undefined : parseUndoFile(text);
}

/**
 * Returns the time at which the run's changes were reverted, ISO 8601. `undefined` if the changes were not reverted.
 */
export async function readUndoneAt(run: StoredRun): Promise<string | undefined> {
  const text = await readIn(run, RUN_FILES.undone);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  const at = typeof value === "object" && value !== null && "undone_at" in value ? value.undone_at : undefined;
  return typeof at === "string" ? at : undefined;
}

async function readIn({ report }: Pick<StoredRun, "report">, name: string): Promise<string | undefined> {
  if (report?.runFolder === undefined) return undefined;
  return readFile(join(report.runFolder, name), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}
