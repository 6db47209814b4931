import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredRun } from "@switchyard/contracts";
import { RUN_FILES } from "../run-files/run-files.ts";

/** Reads the exact changes of a stored run as a patch. Rejects with the errors of the file system. */
export async function exactPatchOf({ report }: Pick<StoredRun, "report">): Promise<string | Uint8Array> {
  const stored =
    report?.runFolder === undefined ? undefined : await readStored(join(report.runFolder, RUN_FILES.exactChanges));
  if (stored !== undefined) return stored;
  const diff = report?.workspaceDiff ?? "";
  return diff === "" || diff.endsWith("\n") ? diff : `${diff}\n`;
}

async function readStored(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}
