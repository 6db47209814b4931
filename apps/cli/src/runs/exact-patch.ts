import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredRun } from "@switchyard/contracts";
import { RUN_FILES } from "@switchyard/runner";

/** The changes of a run byte by byte, as a patch; those of its report where they are the same. Rejects with what reading throws. */
export async function exactPatchOf({ report }: Pick<StoredRun, "report">): Promise<string | Uint8Array> {
  const kept =
    report?.runFolder === undefined ? undefined : await readKept(join(report.runFolder, RUN_FILES.exactChanges));
  if (kept !== undefined) return kept;
  const diff = report?.workspaceDiff ?? "";
  return diff === "" || diff.endsWith("\n") ? diff : `${diff}\n`;
}

async function readKept(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}
