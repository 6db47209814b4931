import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredRun } from "@switchyard/contracts";
import { RUN_FILES } from "../run-files/run-files.ts";
import { readUndoFile } from "./undo-files.ts";

/**
 * Returns the changes of a run as a byte-exact patch. It is the patch file in the run folder, or the report's diff if
 * no patch file was needed. Rejects with the error of reading the file.
 */
export async function readExactPatch({ report }: Pick<StoredRun, "report">): Promise<string | Uint8Array> {
  const stored =
    report?.runFolder === undefined ? undefined : await readStored(join(report.runFolder, RUN_FILES.exactChanges));
  if (stored !== undefined) return stored;
  const diff = report?.workspaceDiff ?? "";
  return diff === "" || diff.endsWith("\n") ? diff : `${diff}\n`;
}

/**
 * Returns the changes of a run as a patch that `git apply` accepts. `undefined` if the changes are not known, or not
 * stored byte for byte. Changes that contain a secret or exceed 64 MiB are not stored byte for byte. Rejects with the
 * error of reading the files.
 */
export async function readPatch(run: Pick<StoredRun, "report">): Promise<string | Uint8Array | undefined> {
  if (run.report?.workspaceDiff === undefined) return undefined;
  const file = await readUndoFile(run);
  return file?.isExact === false ? undefined : readExactPatch(run);
}

async function readStored(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}
