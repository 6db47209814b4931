import { basename, dirname, join } from "node:path";
import type { HeldLease } from "../lease/held-lease.ts";
import type { StoreFiles } from "./store-files.ts";
import { writeNewFile } from "./write-new-file.ts";

/**
 * Replaces a file durably and atomically: readers see the old or the new content. The new file is written in the lease
 * folder (the folder that represents the right to write) and then renamed; renaming fails if the lease is lost. Other
 * private files need no lease: `writePrivateFile` of the package settings writes those. Contract: no concurrent calls
 * for the same file. Rejects with `store.stale_epoch` or `run.store_failed`. See durability promises D1, D3, D6.
 */
export async function replaceFile(
  files: StoreFiles,
  lease: HeldLease,
  { path, content }: { path: string; content: string },
): Promise<void> {
  lease.check();
  const temporary = join(lease.path, basename(path));
  try {
    await writeNewFile(files, temporary, content);
    await files.rename(temporary, path);
    await files.syncFolder(dirname(path));
  } catch (error) {
    const failure = lease.failure(error, path);
    await files.remove(temporary).catch(() => undefined);
    throw failure;
  }
}
